// Writes the seeds of the binary target: torsor_fuzz_seeds FOLDER MODEL.xml... compiles each model into FOLDER.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "torsor/format/binary/binary.hpp"
#include "torsor/format/binary/layout.hpp"
#include "torsor/torsor.hpp"

int main(int argc, char** argv) {
  using namespace torsor;
  if (argc < 3) return std::fputs("usage: torsor_fuzz_seeds FOLDER MODEL.xml...\n", stderr), 2;
  const std::filesystem::path folder(argv[1]);
  std::filesystem::create_directories(folder);
  for (int i = 2; i < argc; ++i) {
    const std::filesystem::path path(argv[i]);
    try {
      const std::string bytes = to_bytes(load(path.string()));
      std::ofstream file(folder / path.stem(), std::ios::binary);  // the target adds header and checksum itself
      file.write(bytes.data() + binary::kHeaderBytes,
                 static_cast<std::streamsize>(bytes.size() - binary::kHeaderBytes - binary::kChecksumBytes));
    } catch (const Error& error) {
      return std::fprintf(stderr, "%s\n", error.what()), 1;
    }
  }
}
