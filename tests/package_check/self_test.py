"""Plants faults that the checks of this folder must find, and things that they must let pass."""

import pathlib
import shutil
import sys
import tempfile

import public_headers
import subproject
import wheel

NEEDED = " 0x0000000000000001 (NEEDED)             Shared library: [{}]\n"


def plant_headers(folder):
    """A tree of two public headers, the outer of which includes the inner, and a third one."""
    include = pathlib.Path(folder, "torsor")
    include.mkdir(parents=True)
    (include / "torsor.hpp").write_text('#pragma once\n#include "torsor/inner.hpp"\n')
    (include / "inner.hpp").write_text("#pragma once\n")
    return include


def check_headers(compiler, folder):
    """Finds a header that is missing, and one that is too many."""
    include = plant_headers(folder)
    assert not public_headers.faults_of(compiler, include.parent)
    (include / "internal.hpp").write_text("#pragma once\n")
    assert public_headers.faults_of(compiler, include.parent) == ["installed, but not public: torsor/internal.hpp"]
    (include / "inner.hpp").unlink()
    assert "torsor/inner.hpp" in public_headers.faults_of(compiler, include.parent)[0]


def check_optimisation():
    """Finds a source without -O, and one whose -O is taken back."""
    root = pathlib.Path("/sources/torsor")
    entries = [{"file": f"/sources/torsor/{i}.cpp", "command": f"c++ {flags}"} for i, flags in
               enumerate(["-O2 -c", "-c", "-O2 -O0 -c", "-O2 -O3 -c"])]
    entries.append({"file": "/user/a.cpp", "command": "c++ -c"})
    ours = [entry for entry in entries if subproject.is_below(entry, [root])]
    assert subproject.unoptimised(ours) == ["/sources/torsor/1.cpp", "/sources/torsor/2.cpp"]


def check_wheel():
    """Finds libraries that are not everywhere, files too many and too few."""
    system = "".join(NEEDED.format(name) for name in ("libstdc++.so.6", "libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2"))
    assert not wheel.faults_of_links("x", system)
    for library in ("libfmt.so.9", "libpugixml.so.1", "libqhull_r.so.8.0", "libz.so.1"):
        assert wheel.faults_of_links("x", system + NEEDED.format(library)) == [f"x needs {library}"]
    assert wheel.faults_of_links("x", "") == ["x was not read"]
    expected = {"torsor/__init__.py", "torsor/_core.so"}
    built = ["torsor/", "torsor/__init__.py", "torsor/_core.cpython-311-x86_64-linux-gnu.so"]
    assert not wheel.faults_of_contents(built, expected)
    assert wheel.faults_of_contents(built + ["torsor/a.hpp"], expected) == ["should not be in the wheel: torsor/a.hpp"]
    assert wheel.faults_of_contents(built[:2], expected) == ["not in the wheel: torsor/_core.so"]


def main():
    compiler = shutil.which("c++")
    with tempfile.TemporaryDirectory() as folder:
        check_headers(compiler, folder)
    check_optimisation()
    check_wheel()
    print("planted faults were found")


if __name__ == "__main__":
    sys.exit(main())
