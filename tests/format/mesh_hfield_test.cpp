// Height fields from images and from binary files.
#include <cstdint>

#include "mesh_support.hpp"
#include "torsor/format/mesh/hfield_file.hpp"
#include "torsor/format/mesh/png.hpp"

namespace torsor {
namespace {

// PNG numbers are big-endian.
FileBytes& add_number(FileBytes& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes.number(std::uint8_t(value >> shift));
  return bytes;
}

std::uint32_t crc32(Bytes bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const std::byte b : bytes) {
    crc ^= std::uint32_t(b);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? 0xedb88320 ^ (crc >> 1) : crc >> 1;
  }
  return ~crc;
}

void add_chunk(FileBytes& png, const std::string& kind, const FileBytes& content) {
  FileBytes chunk;
  chunk.text(kind).numbers(std::vector<std::byte>(Bytes(content).begin(), Bytes(content).end()));
  add_number(png, std::uint32_t(Bytes(content).size())).numbers(chunk.data());
  add_number(png, crc32(chunk));
}

// Deflate without compression: one stored block.
FileBytes stored(const std::vector<std::uint8_t>& raw) {
  FileBytes bytes;
  bytes.number(std::uint8_t(0x78)).number(std::uint8_t(0x01)).number(std::uint8_t(1));
  bytes.number(std::uint16_t(raw.size())).number(std::uint16_t(~raw.size())).numbers(raw);
  std::uint32_t a = 1, b = 0;
  for (const std::uint8_t x : raw) a = (a + x) % 65521, b = (b + a) % 65521;
  add_number(bytes, b << 16 | a);
  return bytes;
}

struct Png {
  std::uint32_t width, height;
  std::uint8_t depth, colour;  // colour: 0 grey, 2 rgb, 4 grey and alpha
  std::vector<std::uint8_t> pixels;
  bool begins_with_empty_data = false;

  FileBytes file() const {
    const std::size_t stride = pixels.size() / height;
    std::vector<std::uint8_t> raw;
    for (std::size_t row = 0; row < height; ++row) {
      raw.push_back(0);  // no filter
      raw.insert(raw.end(), pixels.begin() + row * stride, pixels.begin() + (row + 1) * stride);
    }
    FileBytes png, header;
    png.text("\x89PNG\r\n\x1a\n");
    add_number(add_number(header, width), height);
    header.numbers(std::vector<std::uint8_t>{depth, colour, 0, 0, 0});
    add_chunk(png, "IHDR", header);
    if (begins_with_empty_data) add_chunk(png, "IDAT", {});
    add_chunk(png, "IDAT", stored(raw));
    add_chunk(png, "IEND", {});
    return png;
  }
};

TEST(MeshPng, PixelsAreReadRowByRowFromTheTop) {
  const Image image = read_png(Png{3, 2, 8, 0, {0, 10, 20, 30, 40, 255}}.file(), "a.png");
  EXPECT_EQ(image.width, 3);
  EXPECT_EQ(image.height, 2);
  EXPECT_EQ(image.channels, 1);
  EXPECT_EQ(image.pixels, (std::vector<std::uint8_t>{0, 10, 20, 30, 40, 255}));
}

// stb_image alone copies such a piece to a null pointer, which the sanitizers of the fuzz target mesh report.
TEST(MeshPng, EmptyPiecesOfDataAreSkipped) {
  const Image image = read_png(Png{2, 1, 8, 0, {7, 8}, true}.file(), "a.png");
  EXPECT_EQ(image.pixels, (std::vector<std::uint8_t>{7, 8}));
}

TEST(MeshPng, ChannelsAreConvertedOnRequest) {
  const Image image = read_png(Png{1, 1, 8, 0, {9}}.file(), "a.png", 3);
  EXPECT_EQ(image.channels, 3);
  EXPECT_EQ(image.pixels, (std::vector<std::uint8_t>{9, 9, 9}));
}

TEST(MeshHfield, AnImagesFirstRowIsFarthestInY) {
  const ElevationGrid grid = read_hfield_file(Png{3, 2, 8, 0, {0, 10, 20, 30, 40, 255}}.file(), "hill.PNG");
  EXPECT_EQ(grid.rows, 2);
  EXPECT_EQ(grid.columns, 3);
  EXPECT_EQ(grid.elevations, (std::vector<float>{30, 40, 255, 0, 10, 20}));
}

TEST(MeshHfield, ColoursCountByTheirRedAndDeepPixelsByTheirHighByte) {
  EXPECT_EQ(read_hfield_file(Png{2, 1, 8, 2, {5, 200, 100, 7, 0, 255}}.file(), "a.png").elevations,
            (std::vector<float>{5, 7}));
  EXPECT_EQ(read_hfield_file(Png{2, 1, 8, 4, {5, 200, 7, 0}}.file(), "a.png").elevations, (std::vector<float>{5, 7}));
  EXPECT_EQ(read_hfield_file(Png{2, 1, 16, 0, {3, 232, 156, 64}}.file(), "a.png").elevations,
            (std::vector<float>{3, 156}));
}

TEST(MeshHfield, ABinaryFieldIsReadAsItIs) {
  const std::vector<float> elevations{1, 2, 3, 4, 5, 7};
  for (const char* name : {"a.hf", "a", "a.bin"}) {
    const ElevationGrid grid = read_hfield_file(FileBytes().number(2).number(3).numbers(elevations), name);
    EXPECT_EQ(grid.rows, 2);
    EXPECT_EQ(grid.columns, 3);
    EXPECT_EQ(grid.elevations, elevations);
  }
}

TEST(MeshHfield, DamagedFilesAreRefused) {
  const auto refused = [](const FileBytes& bytes, const char* name, const char* part) {
    expect_error([&] { read_hfield_file(bytes, name); }, {name, part});
  };
  const std::vector<float> six(6, 1);
  refused(FileBytes(), "a.hf", "too short");
  refused(FileBytes().number(2).number(3).numbers(six).cut(31), "a.hf", "do not hold 2 x 3");
  refused(FileBytes().number(2).number(3).numbers(six).zeros(4), "a.hf", "do not hold 2 x 3");
  refused(FileBytes().number(-2).number(-3).numbers(six), "a.hf", "invalid grid size");
  refused(FileBytes().number(0).number(0), "a.hf", "invalid grid size");
  refused(FileBytes().number(1 << 30).number(1 << 30), "a.hf", "do not hold");
  refused(FileBytes().text("not an image"), "a.png", "PNG file");
  const FileBytes image = Png{3, 2, 8, 0, {0, 10, 20, 30, 40, 255}}.file();
  for (const std::size_t size : {0, 8, 20, 40, 60}) refused(FileBytes(image).cut(size), "a.png", "PNG file");
}

TEST(MeshHfield, AShortFileCannotAskForAHugeImage) {
  Png png{3, 2, 8, 0, {0, 10, 20, 30, 40, 255}};
  FileBytes bytes = png.file();
  for (const int i : {16, 20}) bytes.data()[i + 2] = std::byte(0x40);  // sixteen thousand rows and columns
  expect_error([&] { read_hfield_file(bytes, "a.png"); }, {"PNG file 'a.png'", "cannot be in"});
}

}  // namespace
}  // namespace torsor
