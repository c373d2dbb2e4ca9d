// Tables of numbers: what is read, what is written, and what errors name.
#include "torsor/format/table.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "torsor/core/error.hpp"

namespace torsor {
namespace {

using Numbers = std::vector<double>;
using Names = std::vector<std::string>;

template <class Read>
std::string error_of(const Read& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Table, TitlesAndSeparatorsOfCsvAreRecognised) {
  for (const char* text : {"a,b\n1,-2.5\n3e2,4\n", "a;b\r\n1;-2.5\r\n\r\n3e2;4", "a\tb\n1\t-2.5\n300\t+4\n",
                           "# made by hand\n# a b\n1 -2.5\n 300   4 \n", "\xEF\xBB\xBF\"a\",\"b\"\n1,-2.5\n300,4\n"}) {
    const Table table = parse_csv(text);
    EXPECT_EQ(table.columns, (Names{"a", "b"})) << text;
    EXPECT_EQ(table.data, (Numbers{1, -2.5, 300, 4})) << text;
    EXPECT_EQ(table.rows, 2u);
    EXPECT_TRUE(table.named);
  }
  const Table plain = parse_csv("1,2,3\n4,5,6\n");
  EXPECT_EQ(plain.columns, (Names{"0", "1", "2"}));
  EXPECT_FALSE(plain.named);
  EXPECT_EQ(plain.at(1, 2), 6);
}

TEST(Table, TitlesMayHoldSeparatorsInQuotes) {
  EXPECT_EQ(parse_csv("\"x, m\",\"say \"\"y\"\"\"\n1,2\n").columns, (Names{"x, m", "say \"y\""}));
}

TEST(Table, EmptyCellsAndNanAreNotANumber) {
  const Table table = parse_csv("a,b\n,nan\n1,2\n");
  EXPECT_TRUE(std::isnan(table.at(0, 0)) && std::isnan(table.at(0, 1)));
}

TEST(Table, ErrorsOfCsvNameLineRowAndColumn) {
  EXPECT_EQ(error_of([] { parse_csv("a,b\n1,2\n3,x4\n", "log.csv"); }),
            "log.csv:3: row 2, column 1 ('b'): 'x4' is not a number");
  EXPECT_EQ(error_of([] { parse_csv("a,b\n1,2\n\n3\n", "log.csv"); }), "log.csv:4: row 2 has 1 cells, not 2");
  EXPECT_EQ(error_of([] { parse_csv("a,b\n", "log.csv"); }), "log.csv: no rows of numbers");
  EXPECT_EQ(error_of([] { parse_csv("", "log.csv"); }), "log.csv: no rows of numbers");
}

TEST(Table, JsonIsAnObjectOfColumnsOrAListOfObjects) {
  for (const char* text :
       {R"({"t": [0, 1], "p": [[1, 2], [3, 4]]})", R"([{"t": 0, "p": [1, 2]}, {"p": [3, 4], "t": 1}])"}) {
    const Table table = parse_json_table(text);
    EXPECT_EQ(table.columns, (Names{"t", "p.0", "p.1"})) << text;
    EXPECT_EQ(table.data, (Numbers{0, 1, 2, 1, 3, 4})) << text;
  }
}

TEST(Table, ErrorsOfJsonNameRowAndColumn) {
  const auto error = [](const char* text) { return error_of([&] { parse_json_table(text, "log.json"); }); };
  EXPECT_EQ(error(R"({"t": [0, "one"]})"), "log.json: row 2, column 't': \"one\" is not a number");
  EXPECT_EQ(error(R"({"t": [0, 1], "p": [1]})"), "log.json: column 'p' has 1 rows, not 2");
  EXPECT_EQ(error(R"({"p": [[1, 2], [3]]})"), "log.json: row 2, column 'p' has 1 numbers, not 2");
  EXPECT_EQ(error(R"([{"t": 0}, {"u": 0}])"), "log.json: row 2 has no 't'");
  EXPECT_EQ(error(R"({"t": 5})"), "log.json: column 't' should be a list");
  EXPECT_EQ(error("7"), "log.json: expected an object or a list");
  EXPECT_EQ(error("[]"), "log.json: expected a list of objects");
  EXPECT_EQ(error("{}"), "log.json: no rows of numbers");
  EXPECT_NE(error("{").find("log.json: "), std::string::npos);
}

// The header of a real file, with its blanks left out.
std::string npy(const std::string& dictionary, const std::string& numbers) {
  std::string bytes = "\x93NUMPY";
  bytes += '\x01', bytes += '\0', bytes += static_cast<char>(dictionary.size()), bytes += '\0';
  return bytes + dictionary + numbers;
}
std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

TEST(Table, NpyOfBothOrdersIsRead) {
  const std::string numbers = bytes_of({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(parse_npy(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", numbers)).data,
            (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parse_npy(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", numbers)).data,
            (Numbers{1, 3, 5, 2, 4, 6}));
}

TEST(Table, DamagedNpyIsRefused) {
  const std::string numbers = bytes_of({1, 2, 3, 4, 5});
  const auto error = [&](const std::string& dictionary) {
    return error_of([&] { parse_npy(npy(dictionary, numbers), "log.npy"); });
  };
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"),
            "log.npy: cut off in row 2: 5 numbers for 2 rows of 3");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }"),
            "log.npy: an array of 1 dimensions, not 2");
  EXPECT_EQ(error("{'descr': '<c16', 'fortran_order': False, 'shape': (1, 1), }"),
            "log.npy: numbers of type '<c16' are not supported; save them as float64");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999999999999999, 3), }"),
            "log.npy: the shape of the array is too large");
  EXPECT_EQ(error("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }"),
            "log.npy: cut off in row 2: 5 numbers for 4611686018427387904 rows of 4");
  EXPECT_EQ(error("{'descr': '<f4'}"), "log.npy: the header has no 'fortran_order'");
  EXPECT_EQ(error_of([] { parse_npy("\x93NUMPY", "log.npy"); }), "log.npy: not a NumPy file");
  EXPECT_EQ(error_of([] { parse_npy(std::string("\x93NUMPY\x01\0\xff\xff{'de", 14), "log.npy"); }),
            "log.npy: the header is cut off");
}

TEST(Table, EveryFormatGivesTheNumbersBack) {
  Table table{.columns = {"time", "x, m"}, .rows = 2, .data = {0, 0.1, 1.0 / 3, -1e-300}, .named = true};
  const Table csv = parse_csv(format_csv(table)), json = parse_json_table(format_json_table(table));
  EXPECT_EQ(csv.data, table.data);
  EXPECT_EQ(csv.columns, table.columns);
  EXPECT_EQ(json.data, table.data);
  EXPECT_EQ(json.columns, table.columns);
  const std::string npy_bytes = format_npy(table);
  EXPECT_EQ(parse_npy(npy_bytes).data, table.data);
  EXPECT_EQ((npy_bytes.size() - 4 * sizeof(double)) % 64, 0u);
}

TEST(Table, TheEndingOfAPathChoosesTheFormat) {
  EXPECT_NE(error_of([] { read_table("log.xlsx"); }).find("a table is a file .csv"), std::string::npos);
  EXPECT_EQ(error_of([] { read_table("no/such/log.csv"); }), "no/such/log.csv: cannot be read");
  EXPECT_EQ(error_of([] { write_table("no/such/log.npy", {}); }), "no/such/log.npy: cannot be written");
}

}  // namespace
}  // namespace torsor
