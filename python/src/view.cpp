// Implementation of torsor.show, torsor.Recording and torsor.view.
#include <memory>
#include <vector>

#include <nanobind/stl/vector.h>

#include <fmt/format.h>

#include "bindings.hpp"
#include "objects.hpp"
#include "text.hpp"
#include "textures.hpp"
#include "torsor/sim/sim.hpp"
#include "torsor/view/replay.hpp"
#include "torsor/view/viewer.hpp"

namespace torsor::python {
namespace {

using namespace nb::literals;

// A recorder, and what it refers to.
class RecorderObject {
 public:
  RecorderObject(const ModelObject& object, double fps, bool ghosts, std::string title)
      : model_(object.model),
        recorder_(*model_,
                  {fps, ghosts ? view::WorldLayout::kGhosts : view::WorldLayout::kSideBySide, true, std::move(title)},
                  textures_of(object)) {}

  // True for a moment that is recorded whatever its time; else only when a frame is due.
  void record(ModelObject& model, const std::vector<DataObject*>& worlds, bool whatever_time) {
    std::vector<const Data*> pointers;
    std::vector<std::unique_ptr<Hold>> holds;
    for (DataObject* world : worlds) {
      holds.push_back(std::make_unique<Hold>(world->data->gate));
      require_fit(*model.model, *world->data);
      pointers.push_back(world->data.get());
    }
    if (whatever_time || pointers.size() != 1) return recorder_.record(pointers);
    recorder_.offer(*pointers[0]);
  }

  nb::str html() const { return to_str(recorder_.html()); }
  void save(const std::string& path) const {
    nb::gil_scoped_release release;
    recorder_.save(path);
  }
  int frames() const { return recorder_.frames(); }
  int worlds() const { return recorder_.worlds(); }

 private:
  std::shared_ptr<Model> model_;
  view::Recorder recorder_;
};

// A viewer of a Data that Python also uses.
class ViewerObject {
 public:
  ViewerObject(ModelObject& model, DataObject& data, bool passive, const std::string& address, int port,
               const std::string& token)
      : model_(nb::find(model)), data_(nb::find(data)) {
    const Hold hold(data.data->gate);
    viewer_ = std::make_unique<view::Viewer>(
        std::make_unique<view::Live>(*model.model, *data.data, textures_of(model), passive),
        view::ServerOptions{address, port, token});
  }

  // More worlds that are shown; they are kept alive.
  void set_companions(nb::list worlds, bool as_ghosts) {
    std::vector<const Data*> pointers;
    for (nb::handle world : worlds) pointers.push_back(nb::cast<DataObject&>(world).data.get());
    viewer().live().set_companions(std::move(pointers), as_ghosts);
    companions_ = std::move(worlds);
  }
  void tell(const std::string& type, std::string json) { viewer().tell(type, std::move(json)); }
  void renew_scene() { viewer().live().renew_scene(); }
  std::vector<int> take_pressed() { return viewer().live().take_pressed(); }

  std::string url() const { return viewer().url(); }
  int clients() const { return viewer().clients(); }

  // Seconds until there is more to do.
  double tick() {
    EngineCall call(nb::cast<ModelObject&>(model_), nb::cast<DataObject&>(data_), Effect::kRows);
    return viewer().tick();
  }
  void synchronize() {
    EngineCall call(nb::cast<ModelObject&>(model_), nb::cast<DataObject&>(data_), Effect::kNumbers);
    viewer().synchronize();
  }
  void close() {
    nb::gil_scoped_release release;
    viewer_.reset();
  }
  bool is_open() const { return viewer_ != nullptr; }

 private:
  view::Viewer& viewer() const {
    if (!viewer_) throw Error("this view is closed");
    return *viewer_;
  }

  nb::object model_, data_;  // kept alive
  nb::list companions_;
  std::unique_ptr<view::Viewer> viewer_;
};

}  // namespace

void bind_view(nb::module_& m) {
  nb::class_<RecorderObject>(m, "_Recorder")
      .def(nb::init<const ModelObject&, double, bool, std::string>(), "model"_a, "fps"_a, "ghosts"_a, "title"_a)
      .def("record", &RecorderObject::record, "model"_a, "worlds"_a, "whatever_time"_a)
      .def("html", &RecorderObject::html)
      .def("save", &RecorderObject::save, "path"_a)
      .def_prop_ro("frames", &RecorderObject::frames)
      .def_prop_ro("worlds", &RecorderObject::worlds);
  nb::class_<ViewerObject>(m, "_Viewer")
      .def(nb::init<ModelObject&, DataObject&, bool, const std::string&, int, const std::string&>(), "model"_a,
           "data"_a, "passive"_a, "address"_a, "port"_a, "token"_a)
      .def("tick", &ViewerObject::tick)
      .def("synchronize", &ViewerObject::synchronize)
      .def("set_companions", &ViewerObject::set_companions, "worlds"_a, "ghosts"_a)
      .def("tell", &ViewerObject::tell, "type"_a, "json"_a)
      .def("renew_scene", &ViewerObject::renew_scene)
      .def("take_pressed", &ViewerObject::take_pressed)
      .def("close", &ViewerObject::close)
      .def_prop_ro("is_open", &ViewerObject::is_open)
      .def_prop_ro("url", &ViewerObject::url)
      .def_prop_ro("clients", &ViewerObject::clients);
}

}  // namespace torsor::python
