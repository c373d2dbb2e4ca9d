"""Builds a project that holds Torsor as a folder and sets no build type: subproject.py <cmake> <root> <compiler> [launcher].

Torsor's own sources must be optimised, and the project's program must run.
"""

import json
import os
import pathlib
import shlex
import sys

from commands import report, run

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(user CXX)
add_subdirectory({root} torsor)
add_executable(user user.cpp)
target_link_libraries(user torsor::torsor)
"""
PROGRAM = """#include <torsor/torsor.hpp>
#include <cstdio>
int main() {
  const auto model = torsor::load_string("<mujoco><worldbody><body><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  torsor::Data data(model);
  while (data.time < 0.1) torsor::step(model, data);
  std::printf("%d\\n", data.qpos[2] < 0);
}
"""


def is_below(entry, folders):
    return any(pathlib.Path(entry["file"]).is_relative_to(folder) for folder in folders)


def unoptimised(commands):
    """The sources that no -O2 or -O3 is the last word for, of some entries of compile_commands.json."""
    found = []
    for entry in commands:
        levels = [word for word in shlex.split(entry["command"]) if word.startswith("-O")]
        if not levels or levels[-1] not in ("-O2", "-O3"):
            found.append(entry["file"])
    return found


def main():
    cmake, root, compiler, *launcher = sys.argv[1:]
    # a folder that is as deep as that of the release build, so that the compiler's cache knows the objects
    build = pathlib.Path(root, "build", "subproject")
    source = build / "source"
    source.mkdir(parents=True, exist_ok=True)
    (source / "CMakeLists.txt").write_text(PROJECT.format(root=root), encoding="utf-8")
    (source / "user.cpp").write_text(PROGRAM, encoding="utf-8")
    options = [f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_CXX_COMPILER_LAUNCHER={';'.join(launcher)}"]
    environment = {name: value for name, value in os.environ.items() if name not in ("CXXFLAGS", "CMAKE_BUILD_TYPE")}
    run(cmake, "-G", "Ninja", "-S", source, "-B", build, *options, env=environment)
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    # sources that are compiled together are listed as one file in the build folder
    ours = [entry for entry in commands if is_below(entry, [pathlib.Path(root, "torsor"), build / "torsor"])]
    faults = [f"compiled without optimisation: {file}" for file in unoptimised(ours)]
    if len(ours) < 30:
        faults.append(f"{len(ours)} compilations of Torsor's sources were found, which cannot be all of them")
    if not faults:
        run(cmake, "--build", build, env=environment)
        if run(build / "user").strip() != "1":
            faults = ["a free body does not fall"]
    return report(faults, f"{len(ours)} compilations are optimised, and the program runs")


if __name__ == "__main__":
    sys.exit(main())
