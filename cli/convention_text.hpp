// Conventions for people and for programs: the table of all, the page of one, what differs between two.
#pragma once

#include <string>
#include <vector>

#include "cli/terminal.hpp"
#include "torsor/convention/convention.hpp"
#include "torsor/convention/row_fields.hpp"

namespace torsor::cli {

// One line each; on a terminal that is too narrow, long ids get a line of their own.
std::string convention_table(const std::vector<Convention>& conventions, const Terminal& terminal);
// Every cell with its meaning and the words that it may hold, the source, the example worked by hand.
std::string convention_page(const Convention& convention, const Terminal& terminal);
std::string convention_differences(const Convention& a, const Convention& b, const Terminal& terminal);

std::string convention_table_json(const std::vector<Convention>& conventions);
std::string convention_page_json(const Convention& convention);
std::string convention_differences_json(const Convention& a, const Convention& b);

// The situation of all worked examples, part by part: what, and how it is in our terms.
struct SituationPart {
  const char* what;
  const char* how;
};
extern const char* const kSituationTerms;
const std::vector<SituationPart>& worked_situation();

// The numbers of a worked example by name, without what the system leaves open.
struct WorkedNumbers {
  const char* name;
  const std::vector<double>* numbers;
};
std::vector<WorkedNumbers> worked_numbers(const WorkedExample& example);

// The words that a cell may hold, for people: axes and numbers have too many to list.
std::string describe_words(const RowField& field);
// Names of the cells that a row leaves open.
std::vector<std::string> list_open_cells(const Row& row);

}  // namespace torsor::cli
