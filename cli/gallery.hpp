// torsor demo --gallery: replays of several scenes, with a page that links to them.
#pragma once

#include <string>

namespace torsor::cli {

// Makes the folder if it does not exist, and writes index.html, a replay and a picture of each scene, and plots. Calls
// `tell` with a line for each file. Throws Error if something cannot be written.
void write_gallery(const std::string& folder, void (*tell)(const std::string& line));

// The folder for files that nobody named: that of the user's caches, made if need be; "." where there is none.
std::string make_cache_folder();
// Makes a folder and those above it. Throws Error if that fails.
void make_folder(const std::string& folder);

}  // namespace torsor::cli
