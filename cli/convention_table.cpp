// The table of all conventions, in letters so that it fits.
#include <algorithm>

#include <fmt/format.h>

#include "cli/convention_text.hpp"
#include "cli/table.hpp"
#include "torsor/convention/row_fields.hpp"

namespace torsor::cli {
namespace {

constexpr int kShortId = 12;  // columns; longer ids get a line of their own if the table is too wide

std::string rotation_letters(const Row& row) {
  switch (row.rotation) {
    case RotationForm::kQuaternion:
      return row.quat == QuatOrder::kUnspecified ? "?" : (row.quat == QuatOrder::kWxyz ? "wxyz" : "xyzw");
    case RotationForm::kMatrix:
      return "matrix";
    case RotationForm::kRotationVector:
      return "vector";
    case RotationForm::kEuler:
      return "euler";
    default:
      return "?";
  }
}

std::string axes_letters(const Axes& axes) {
  if (!axes.known()) return "?";
  for (const char* name : {"z-up", "y-up", "x-up", "ned", "gltf", "unity", "unreal"}) {
    Axes named;
    if (read_axes(name, named) && named == axes) return name;
  }
  return axes_text(axes);
}

std::string point_letters(Point point) {
  constexpr const char* kLetters[] = {"?", "O", "C", "Wo", "T"};
  return kLetters[static_cast<size_t>(point)];
}
char frame_letter(Frame frame) { return "?WBP"[static_cast<size_t>(frame)]; }

// "C W": of which point, in which axes.
std::string velocity_letters(const SpatialLayout& twist) {
  const std::string text = fmt::format("{} {}", point_letters(twist.point), frame_letter(twist.linear));
  return text == "? ?" ? "?" : text;
}

// Two vectors in order: "v w" for the linear one first.
std::string order_letters(BlockOrder order, char linear, char angular) {
  if (order == BlockOrder::kUnspecified) return "?";
  if (order == BlockOrder::kAngularFirst) std::swap(linear, angular);
  return fmt::format("{} {}", linear, angular);
}

std::string wrench_letters(const Row& row) {
  const SpatialLayout& wrench = row.wrench;
  if (wrench == SpatialLayout{}) return "?";
  std::string frames(1, frame_letter(wrench.linear));
  if (wrench.angular != wrench.linear) frames += frame_letter(wrench.angular);
  return fmt::format("{}{} {} {}", row.wrench_sign < 0 ? "-" : "", order_letters(wrench.order, 'f', 't'),
                     point_letters(wrench.point), frames);
}

std::string joint_letters(JointOrder order) {
  constexpr const char* kWords[] = {"?", "depth", "breadth", "depth*", "breadth*", "depth**", "depth+"};
  return kWords[static_cast<size_t>(order)];
}

std::string pose_letters(PoseOrder order) {
  if (order == PoseOrder::kUnspecified) return "?";
  return order == PoseOrder::kPositionFirst ? "p r" : "r p";
}

std::vector<std::string> cells_of(const Convention& convention) {
  const Row& row = convention.row;
  return {convention.id,
          rotation_letters(row),
          pose_letters(row.pose),
          axes_letters(row.world),
          velocity_letters(row.twist),
          std::string(1, frame_letter(row.twist.angular)),
          order_letters(row.twist.order, 'v', 'w'),
          wrench_letters(row),
          joint_letters(row.joints),
          convention.checked.empty() ? "-" : convention.checked};
}

constexpr const char* kLegend =
    "? not specified: set it in brackets, such as physx[axes=z-up]\n"
    "pose: p position, r rotation. v, w: linear and angular velocity. f, t: force\n"
    "and moment, - for a residual. Points: O body's origin, C its centre of mass,\n"
    "T centre of mass of the tree, Wo the world's origin. Axes: W world, B body,\n"
    "P parent anchor. joints: depth or breadth first, * siblings by body name, ** by\n"
    "joint name, + floating trees last. checked: the system that the tests compare\n"
    "with. "
    "torsor conventions show ID prints the details.\n";

}  // namespace

std::string convention_table(const std::vector<Convention>& conventions, const Terminal& terminal) {
  const auto make = [&](int widest_id) {
    Table table({{"id"}, {"quat"}, {"pose"}, {"axes"}, {"v"}, {"w"}, {"twist"}, {"wrench"}, {"joints"}, {"checked"}});
    for (const Convention& convention : conventions) {
      auto cells = cells_of(convention);
      if (columns_of(cells[0]) > widest_id) cells[0].clear();
      table.add(std::move(cells));
    }
    return table.lines(terminal);
  };
  const auto width_of = [](const std::vector<std::string>& lines) {
    int width = 0;
    for (size_t i = 1; i < lines.size(); ++i) width = std::max(width, columns_of(lines[i]));  // titles have colours
    return width;
  };
  constexpr int kAnyWidth = 1 << 20;
  int widest_id = kAnyWidth;
  std::vector<std::string> lines = make(widest_id);
  if (terminal.is_live() && width_of(lines) > terminal.width()) lines = make(widest_id = kShortId);
  std::string text = lines[0] + '\n';
  for (size_t i = 0; i < conventions.size(); ++i) {
    if (columns_of(conventions[i].id) > widest_id) text += conventions[i].id + '\n';
    text += lines[i + 1] + '\n';
  }
  return text + '\n' + kLegend;
}

}  // namespace torsor::cli
