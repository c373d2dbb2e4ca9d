// Walks through the lines of an OBJ file, word by word.
#pragma once

#include <string>
#include <string_view>

namespace torsor {

// Lines end with any of \n, \r\n and \r, or with a comment. Errors name the file and the line.
class ObjLines {
 public:
  ObjLines(std::string_view text, std::string_view file_name);

  bool next();                 // goes to the next line that is not empty; false at the end
  std::string_view word();     // the next word; "" at the end of the line
  bool number(double& value);  // the next number; false at the end of the line
  bool index(int& value);      // an integer at the cursor, without a blank before it
  bool skip(char c);           // skips c if it is at the cursor
  bool at_word();              // whether there is another word; skips blanks
  bool after_word() const;     // whether a blank or the end of the line is at the cursor

  [[noreturn]] void fail(const std::string& what) const;

 private:
  const char *cursor_, *line_end_;  // position in the line, and its end
  const char *next_, *end_;         // the next line, and the end of the text
  std::string_view file_name_;
  int line_ = 0;
};

}  // namespace torsor
