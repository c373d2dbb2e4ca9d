// Calls Qhull and reads its facets. Their order and orientation matter: they become the faces of meshes without faces.
#include "torsor/geometry/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <unordered_map>

#include "torsor/core/error.hpp"

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

namespace torsor {
namespace {

// Captures Qhull's messages in memory, since a library must not write to the terminal.
class Messages {
 public:
  Messages() : stream_(open_memstream(&text_, &size_)) {
    if (!stream_) throw Error("convex hull: no memory for Qhull's messages");
  }
  ~Messages() {
    std::fclose(stream_);
    std::free(text_);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;

  FILE* stream() { return stream_; }
  std::string first_line() {
    std::fflush(stream_);
    const std::string all(text_, size_);
    return all.substr(0, all.find('\n'));
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  FILE* stream_;
};

// Owns one Qhull workspace.
class Qhull {
 public:
  explicit Qhull(FILE* messages) : messages_(messages) { qh_zero(&qh_, messages); }
  ~Qhull() {
    int held, total;
    qh_freeqhull(&qh_, !qh_ALL);
    qh_memfreeshort(&qh_, &held, &total);
  }
  Qhull(const Qhull&) = delete;
  Qhull& operator=(const Qhull&) = delete;

  // Returns Qhull's exit code.
  int run(std::vector<double>& points, int max_vertices) {
    // Qt: triangles only. TAn stops after n points beyond the first simplex; Q9 adds the furthest points first, so that
    // these few give a good hull.
    std::string command = "qhull Qt";
    if (max_vertices > 0) command += fmt::format(" Q9 TA{}", max_vertices - 4);
    return qh_new_qhull(&qh_, 3, int(points.size() / 3), points.data(), False, command.data(), nullptr, messages_);
  }

  Hull read(const std::vector<double>& points) {
    qhT* qh = &qh_;  // the name that Qhull's loop macros require
    Hull hull;
    hull.vertices.reserve(qh->num_vertices);
    hull.faces.reserve(3 * qh->num_facets);
    vertexT* vertex;
    FORALLvertices hull.vertices.push_back(index(vertex, points));
    facetT* facet;
    FORALLfacets add_face(facet, points, hull.faces);
    return hull;
  }

 private:
  static int index(const vertexT* vertex, const std::vector<double>& points) {
    return int((vertex->point - points.data()) / 3);
  }

  static void add_face(const facetT* facet, const std::vector<double>& points, std::vector<int>& faces) {
    int corners[3] = {0, 0, 0};
    for (int i = 0; i < 3; ++i) corners[i] = index(SETelemt_(facet->vertices, i, vertexT), points);
    // Qhull's orientation bit tells whether the order of the vertices is clockwise from outside
    const bool swap = bool(facet->toporient) != bool(qh_ORIENTclock);
    faces.insert(faces.end(), {corners[swap ? 1 : 0], corners[swap ? 0 : 1], corners[2]});
  }

  FILE* messages_;
  qhT qh_;
};

}  // namespace

Hull make_hull(std::span<const float> points, int max_vertices, std::string_view mesh_name) {
  if (max_vertices > 0 && max_vertices < 4)
    throw Error(
        fmt::format("mesh '{}': maxhullvert is {}, but a hull has at least 4 vertices", mesh_name, max_vertices));
  if (points.size() < 12) throw Error(fmt::format("mesh '{}': a convex hull needs at least 4 points", mesh_name));
  std::vector<double> coordinates(points.begin(), points.end());
  Messages messages;
  Qhull qhull(messages.stream());
  const int code = qhull.run(coordinates, max_vertices);
  if (code == qh_ERRsingular)
    throw Error(
        fmt::format("mesh '{}': its vertices lie in a plane, so that it has no convex hull; use a plane or a "
                    "thin box instead, or set contype and conaffinity to 0",
                    mesh_name));
  if (code != qh_ERRnone)
    throw Error(fmt::format("mesh '{}': cannot compute the convex hull: {}", mesh_name, messages.first_line()));
  return qhull.read(coordinates);
}

namespace {

// See HullGraph::corner_faces; the places are those of graph.edges.
std::vector<int> list_faces_at_corners(const HullGraph& graph) {
  std::vector<int> next(graph.edge_address.begin(), graph.edge_address.end() - 1), listed(graph.edges.size(), -1);
  for (std::size_t k = 0; k < graph.faces.size(); ++k) {
    const std::size_t corner = std::size_t(graph.faces[k]);
    if (next[corner] < graph.edge_address[corner + 1]) listed[std::size_t(next[corner])] = int(k / 3);
    ++next[corner];
  }
  for (std::size_t corner = 0; corner < next.size(); ++corner) {
    const int begin = graph.edge_address[corner], end = graph.edge_address[corner + 1];
    const bool all_are_listed = next[corner] > begin && next[corner] <= end;
    const int last = all_are_listed ? listed[std::size_t(next[corner]) - 1] : -1;
    for (int i = all_are_listed ? next[corner] : begin; i < end; ++i) listed[std::size_t(i)] = last;
  }
  return listed;
}

}  // namespace

HullGraph make_hull_graph(const Hull& hull) {
  std::unordered_map<int, int> corner_of;
  for (std::size_t i = 0; i < hull.vertices.size(); ++i) corner_of.emplace(hull.vertices[i], int(i));
  HullGraph graph;
  std::vector<std::vector<int>> neighbours(hull.vertices.size());
  for (const int vertex : hull.faces) graph.faces.push_back(corner_of.at(vertex));
  for (std::size_t k = 0; k < graph.faces.size(); ++k) {
    const int from = graph.faces[k], to = graph.faces[k % 3 == 2 ? k - 2 : k + 1];
    neighbours[std::size_t(from)].push_back(to);
    neighbours[std::size_t(to)].push_back(from);
  }
  for (std::vector<int>& list : neighbours) {
    std::sort(list.begin(), list.end());
    graph.edge_address.push_back(int(graph.edges.size()));
    graph.edges.insert(graph.edges.end(), list.begin(), std::unique(list.begin(), list.end()));
  }
  graph.edge_address.push_back(int(graph.edges.size()));
  graph.corner_faces = list_faces_at_corners(graph);
  return graph;
}

std::array<int, 27> find_extremal_vertices(const Hull& hull, std::span<const float> points) {
  std::array<int, 27> extrema{};
  for (int direction = 0; direction < 27; ++direction) {
    const float x = float(direction / 9 - 1), y = float(direction / 3 % 3 - 1), z = float(direction % 3 - 1);
    float furthest = -std::numeric_limits<float>::infinity();  // floats decide ties as in MuJoCo
    for (std::size_t i = 0; i < hull.vertices.size(); ++i) {
      const float* p = points.data() + 3 * std::size_t(hull.vertices[i]);
      const float distance = x * p[0] + y * p[1] + z * p[2];
      if (distance > furthest) {
        furthest = distance;
        extrema[direction] = int(i);
      }
    }
  }
  return extrema;
}

}  // namespace torsor
