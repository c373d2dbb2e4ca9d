// Conventions as text and JSON: the table of all, the page of one, the differences between two.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal.hpp"
#include "torsor/convention/convention.hpp"
#include "torsor/convention/row_fields.hpp"

namespace torsor::cli {

// One line each; on a terminal that is too narrow, long ids get a line of their own.
std::string convention_table(const std::vector<Convention>& conventions, const Terminal& terminal);
// Every cell with its meaning and possible values, the source, the worked example.
std::string convention_page(const Convention& convention, const Terminal& terminal);
std::string convention_differences(const Convention& a, const Convention& b, const Terminal& terminal);

std::string convention_table_json(const std::vector<Convention>& conventions);
std::string convention_page_json(const Convention& convention);
std::string convention_differences_json(const Convention& a, const Convention& b);

// The situation of all worked examples, part by part, in our convention.
struct SituationPart {
  const char* what;
  const char* how;
};
extern const char* const kSituationTerms;
const std::vector<SituationPart>& worked_situation();

// The numbers of a worked example by name, without unspecified ones.
struct WorkedNumbers {
  const char* name;
  const std::vector<double>* numbers;
};
std::vector<WorkedNumbers> worked_numbers(const WorkedExample& example);

// The possible values of a cell as text: axes and numbers have too many to list.
std::string describe_words(const RowField& field);
// Names of the unspecified cells of a row.
std::vector<std::string> list_open_cells(const Row& row);

}  // namespace torsor::cli
