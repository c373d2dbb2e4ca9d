"""The include check finds what it is there for: each fault is planted once, in a tree made for it."""

import pathlib
import tempfile
import unittest

import include_check

ARROWS = "core:  | fmt::fmt\nmath: core | \ngeometry: math | Qhull::qhull_r\nmodel: geometry | \n"


def faults_of(folder, *includes, arrows=ARROWS):
    """What the check says about one file with these includes."""
    with tempfile.TemporaryDirectory() as root:
        path = pathlib.Path(root, "torsor", folder, "part", "file.hpp")
        path.parent.mkdir(parents=True)
        path.write_text("// A file.\n" + "".join(f"#include {include}\n" for include in includes), encoding="utf-8")
        faults, count = include_check.check_tree(arrows, root)
        assert count == 1
        return faults


class IncludeCheck(unittest.TestCase):
    def test_an_include_along_an_arrow_is_fine(self):
        self.assertEqual(faults_of("geometry", '"torsor/math/vec3.hpp"', '"torsor/geometry/mesh.hpp"'), [])

    def test_arrows_may_be_followed_onwards(self):
        self.assertEqual(faults_of("model", '"torsor/core/error.hpp"'), [])

    def test_an_include_against_an_arrow_is_found_with_its_line(self):
        (fault,) = faults_of("math", "<cmath>", '"torsor/model/model.hpp"')
        self.assertIn("torsor/math/part/file.hpp:3:", fault)
        self.assertIn("no arrow leads from math to model", fault)

    def test_angle_brackets_do_not_hide_an_include(self):
        self.assertEqual(len(faults_of("math", "<torsor/model/model.hpp>")), 1)

    def test_the_header_of_the_whole_is_for_users(self):
        self.assertEqual(len(faults_of("model", '"torsor/torsor.hpp"')), 1)

    def test_a_path_from_the_own_folder_is_found(self):
        self.assertEqual(len(faults_of("math", '"vec3.hpp"')), 1)
        self.assertEqual(len(faults_of("math", '"../model/model.hpp"')), 1)

    def test_a_third_party_header_needs_its_link(self):
        self.assertEqual(faults_of("geometry", "<libqhull_r/libqhull_r.h>", "<fmt/format.h>"), [])
        self.assertEqual(len(faults_of("model", "<libqhull_r/libqhull_r.h>")), 1)

    def test_an_unknown_library_is_found(self):
        self.assertEqual(len(faults_of("math", "<Eigen/Dense>", "<mujoco/mujoco.h>")), 2)

    def test_a_folder_without_a_target_is_found(self):
        self.assertEqual(len(faults_of("stray", "<vector>")), 1)

    def test_an_arrow_to_nowhere_is_found(self):
        self.assertEqual(len(faults_of("math", "<cmath>", arrows="math: code | \n")), 1)


if __name__ == "__main__":
    unittest.main()
