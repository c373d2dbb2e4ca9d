// ffmpeg reads raw frames from a pipe. It is started without a shell: names of files are not words of a command.
#include "cli/film.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include "torsor/core/error.hpp"

extern char** environ;

namespace torsor::cli {
namespace {

// The part "%0<digits>d" of a file name, or npos.
size_t find_number(const std::string& path, size_t& length) {
  for (size_t at = path.find('%'); at != path.npos; at = path.find('%', at + 1)) {
    size_t end = at + 1;
    while (end < path.size() && std::isdigit(static_cast<unsigned char>(path[end]))) ++end;
    if (end >= path.size() || path[end] != 'd' || end - at > 3) continue;
    length = end + 1 - at;
    return at;
  }
  return path.npos;
}

class NumberedFiles : public Film {
 public:
  explicit NumberedFiles(const std::string& path) : path_(path) {
    size_t length = 0;
    at_ = find_number(path, length);
    const std::string digits = path.substr(at_ + 1, length - 2);
    width_ = digits.empty() ? 0 : std::stoi(digits);
    end_ = at_ + length;
  }

  void add(const render::Picture& picture) override {
    const std::string name = fmt::format("{}{:0{}}{}", path_.substr(0, at_), count_++, width_, path_.substr(end_));
    render::write_file(name, render::to_png(picture));
  }
  void close() override {}

 private:
  std::string path_;
  size_t at_ = 0, end_ = 0;
  int width_ = 0, count_ = 0;
};

class Video : public Film {
 public:
  Video(const std::string& path, int width, int height, double fps) : path_(path) {
    int ends[2];
    if (pipe(ends) != 0) throw Error(fmt::format("cannot start ffmpeg: {}", std::strerror(errno)));
    // "file:" keeps a name that begins with a dash or has a colon from being anything else; sides must be even
    std::vector<std::string> words{"ffmpeg",   "-loglevel",
                                   "error",    "-y",
                                   "-f",       "rawvideo",
                                   "-pix_fmt", "rgb24",
                                   "-s",       fmt::format("{}x{}", width, height),
                                   "-r",       fmt::format("{}", fps),
                                   "-i",       "-"};
    if (!path.ends_with(".gif"))
      words.insert(words.end(), {"-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"});
    words.push_back("file:" + path);
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    const int status = posix_spawnp(&process_, "ffmpeg", &actions, nullptr, pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[0]);
    if (status != 0) {
      ::close(ends[1]);
      throw Error("a video needs ffmpeg, which is not installed (apt install ffmpeg); frame_%04d.png writes pictures");
    }
    pipe_ = ends[1];
    std::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that ends early is an error of write()
  }

  ~Video() override { finish(); }

  void add(const render::Picture& picture) override {
    const auto* at = picture.rgb.data();
    for (size_t left = picture.rgb.size(); left > 0;) {
      const ssize_t written = write(pipe_, at, left);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) throw Error(fmt::format("ffmpeg did not take the frames of '{}'", path_));
      at += written, left -= static_cast<size_t>(written);
    }
  }

  void close() override {
    if (finish() != 0) throw Error(fmt::format("ffmpeg could not write '{}'", path_));
  }

 private:
  int finish() {
    if (pipe_ < 0) return 0;
    ::close(pipe_);
    pipe_ = -1;
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  std::string path_;
  pid_t process_ = 0;
  int pipe_ = -1;
};

}  // namespace

bool is_video(const std::string& path) {
  constexpr const char* kEndings[] = {".mp4", ".webm", ".mkv", ".mov", ".gif"};
  return std::any_of(std::begin(kEndings), std::end(kEndings), [&](const char* end) { return path.ends_with(end); });
}

bool is_numbered(const std::string& path) {
  size_t length = 0;
  return find_number(path, length) != path.npos;
}

std::unique_ptr<Film> make_film(const std::string& path, int width, int height, double fps) {
  if (is_video(path)) return std::make_unique<Video>(path, width, height, fps);
  if (is_numbered(path)) return std::make_unique<NumberedFiles>(path);
  throw Error(
      fmt::format("'{}' is neither a video (.mp4, .webm, .mkv, .mov, .gif) nor numbered (frame_%04d.png)", path));
}

}  // namespace torsor::cli
