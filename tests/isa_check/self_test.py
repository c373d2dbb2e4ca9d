"""The symbol check finds what it is there for: sources with and without a fault are compiled and checked."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK = pathlib.Path(__file__).with_name("isa_check.py")
TWICE = "template <class T> T twice(T x) { return x + x; } double f(double x) { return twice(x); }"


def check(source):
    """The exit code and text of the check over one compiled source."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernel.cpp")
        path.write_text(source + "\n", encoding="utf-8")
        subprocess.run(["c++", "-std=c++20", "-O0", "-c", path, "-o", path.with_suffix(".o")], check=True)
        command = [sys.executable, CHECK, "nm", "avx2", path.with_suffix(".o")]
        result = subprocess.run(command, capture_output=True, text=True)
        return result.returncode, result.stdout


class IsaCheck(unittest.TestCase):
    def test_symbols_of_the_own_namespace_are_fine(self):
        self.assertEqual(check("namespace torsor::avx2 { " + TWICE + " }")[0], 0)

    def test_local_statics_and_classes_of_the_own_namespace_are_fine(self):
        counter = "struct A { virtual int f() const; }; int A::f() const { static int n = 0; return ++n; }"
        self.assertEqual(check("namespace torsor::avx2 { " + counter + " }")[0], 0)

    def test_our_templates_over_a_type_of_the_own_namespace_are_fine(self):
        view = "namespace torsor { namespace avx2 { struct P { double x[4]; }; } template <class T> struct View { T p; View() {} }; }"
        self.assertEqual(check(view + " namespace torsor::avx2 { double f() { View<P> v; return v.p.x[0]; } }")[0], 0)
        plain = view + " namespace torsor::avx2 { double f() { View<double> v; return v.p; } }"
        self.assertEqual(check(plain)[0], 1)

    def test_a_weak_inline_function_outside_is_found_by_name(self):
        outside = "namespace torsor { inline int g(int x) { return x; } }"
        code, text = check(outside + " namespace torsor::avx2 { int h() { return g(1); } }")
        self.assertEqual(code, 1)
        self.assertIn("torsor::g(int)", text)

    def test_a_template_of_the_standard_library_is_found(self):
        least = "int least(int a, int b) { return std::min(a, b); }"
        code, text = check("#include <algorithm>\nnamespace torsor::avx2 { " + least + " }")
        self.assertEqual(code, 1)
        self.assertIn("std::min", text)

    def test_the_namespace_of_another_instruction_set_is_found(self):
        self.assertEqual(check("namespace torsor::avx512 { int f() { return 1; } }")[0], 1)

    def test_an_object_without_symbols_is_a_fault(self):
        self.assertEqual(check("static const int unused = 0;")[0], 1)


if __name__ == "__main__":
    unittest.main()
