// Whatever number of a binary model is changed to whatever value: the file is refused with an Error, or the model
// steps. Each batch of edits runs in a child process, so that a crash is a failure that names its edit. TORSOR_LONG:
// all edits.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "torsor/torsor.hpp"

#include "edits.hpp"

namespace torsor {
namespace {

using hostile::Edit;
using hostile::Place;

void cast_rays(const Model& model, const Data& data) {
  const Vec3<double> directions[] = {{0, 0, -1}, {0.6, 0, -0.8}, {0, -0.6, -0.8}, {1, 0, 0}};
  for (const Vec3<double>& direction : directions) cast_ray(model, data, {{0.1, 0.2, 3}, direction});
}

// What users do with a model, in short.
void use(Model& model) {
  Data data(model);
  std::fill(data.ctrl.begin(), data.ctrl.end(), 0.1);
  for (int i = 0; i < 2; ++i) step(model, data);
  forward(model, data);
  cast_rays(model, data);
  inverse(model, data);
  const Data copy(data);
  for (int key = 0; key < std::min(model.nkey, 2); ++key) {
    reset_to_key(model, data, key);
    step(model, data);
  }
  Batch batch(model, 2);
  batch.step(1);
  set_const(model);
  step(model, data);
}

// Loads one edited model and uses it if it loads. Returns whether it did.
bool survives(const std::string& bytes) {
  try {
    Model model = from_bytes(bytes);
    use(model);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// What a child tells its parent while it works.
struct Progress {
  int edit, accepted;
};

class EditRun {
 public:
  EditRun(const std::string& model, std::string bytes, std::vector<Place> places, std::vector<Edit> edits)
      : model_(model), bytes_(std::move(bytes)), places_(std::move(places)), edits_(std::move(edits)) {
    void* shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    progress_ = new (shared) Progress{};
  }
  ~EditRun() { munmap(progress_, sizeof(Progress)); }

  // Returns how many edits were accepted.
  int run() {
    int failures = 0;
    for (int begin = 0; begin < static_cast<int>(edits_.size()) && failures < 20;) {
      const int status = run_child(begin);
      if (status == 0) break;
      const Edit& edit = edits_[static_cast<size_t>(progress_->edit)];
      const char* how = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "an exception that is not Error";
      ADD_FAILURE() << model_ << ": " << places_[edit.place].name << " = " << edit.value << ": " << how;
      ++failures;
      begin = progress_->edit + 1;
    }
    return progress_->accepted;
  }

 private:
  int run_child(int begin) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      work(begin);
      std::_Exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  void work(int begin) {
    if (!getenv("TORSOR_SHOW"))
      std::freopen("/dev/null", "w", stderr);  // asserts are expected to be many where there are any
    try {
      for (int i = begin; i < static_cast<int>(edits_.size()); ++i) {
        progress_->edit = i;
        alarm(20);
        const Edit& edit = edits_[static_cast<size_t>(i)];
        progress_->accepted += survives(hostile::edited(bytes_, places_[edit.place], edit.value));
      }
    } catch (...) {
      std::_Exit(3);
    }
  }

  std::string model_, bytes_;
  std::vector<Place> places_;
  std::vector<Edit> edits_;
  Progress* progress_;
};

std::vector<std::string> model_files() {
  std::vector<std::string> files;
  const std::filesystem::path root = std::filesystem::path(TORSOR_SOURCE_DIR) / "models";
  for (const auto& folder : {root, root / "features"})
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".xml") files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  const char* only = getenv("TORSOR_ONLY");
  if (only) std::erase_if(files, [only](const std::string& file) { return file.find(only) == file.npos; });
  return files;
}

// Edits of some numbers: of every array its first, its last and a few others, all values of each. The same every time.
std::vector<Edit> choose_edits(const std::vector<Place>& places, bool whole, size_t most) {
  std::mt19937 random(20260117);
  std::vector<Edit> edits;
  for (size_t p = 0; p < places.size(); ++p) {
    if (hostile::is_whole(places[p].type) != whole) continue;
    for (const double value : hostile::extreme_values(places[p], random)) edits.push_back({p, value});
  }
  if (edits.size() <= most) return edits;
  std::shuffle(edits.begin(), edits.end(), random);
  edits.resize(most);
  return edits;
}

bool is_long() { return getenv("TORSOR_LONG") != nullptr; }

// `quick`: edits per model of a run that is not long.
void edit_all(bool whole, size_t quick) {
  size_t tried = 0, accepted = 0;
  for (const std::string& file : model_files()) {
    const Model model = load(file);
    std::string bytes = to_bytes(model);
    ASSERT_TRUE(survives(bytes)) << file << ": the model itself";
    std::vector<Place> places = hostile::list_places(model, bytes.size());
    const char* most = getenv("TORSOR_EDITS");
    std::vector<Edit> edits = choose_edits(places, whole,
                                           is_long() ? 2'000'000
                                           : most    ? strtoul(most, nullptr, 10)
                                                     : quick);
    tried += edits.size();
    accepted += static_cast<size_t>(EditRun(file, std::move(bytes), std::move(places), std::move(edits)).run());
  }
  std::printf("%zu edits, %zu of them accepted\n", tried, accepted);
  EXPECT_GT(accepted, 0u);
}

TEST(BinaryEdits, AWholeNumberThatIsChangedIsRefusedOrTheModelSteps) { edit_all(true, 250); }

TEST(BinaryEdits, ARealNumberThatIsChangedIsRefusedOrTheModelSteps) { edit_all(false, 60); }

}  // namespace
}  // namespace torsor
