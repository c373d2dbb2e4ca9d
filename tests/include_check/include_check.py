"""Fails on an include in torsor/ that goes against the arrows: include_check.py <arrows file> <source root>.

The arrows file is written at configure time from the calls of torsor_library(). A file of one folder may include its
own folder and every folder that its arrows reach, the standard library, and the third-party libraries that its folder
or core links.
"""

import pathlib
import re
import sys

# Third-party headers by the beginning of their path, and the beginning of the CMake target that brings them.
THIRD_PARTY = {
    "fmt/": "fmt::",
    "pugixml.hpp": "pugixml",
    "libqhull_r/": "Qhull::",
    "stb/": "stb::",
    "zlib.h": "ZLIB::",
    "nlohmann/": "nlohmann_json::",
    "boost/": "torsor_boost",
    "cuda_runtime.h": "torsor_cuda",
    "cooperative_groups": "torsor_cuda",
    "cub/": "torsor_cuda",
}
STANDARD = re.compile(r"[a-z_0-9]+|(sys|linux)/\w+\.h|(\w+intrin|unistd|fcntl|signal|pthread|sched|cxxabi|errno|ucontext)\.h")
INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def read_arrows(text):
    """From lines "name: folders | links": the arrows and the third-party links of each folder."""
    arrows, links = {}, {}
    for line in text.splitlines():
        name, rest = line.split(":", 1)
        depends, third_party = rest.split("|")
        arrows[name], links[name] = depends.split(), third_party.split()
    return arrows, links


def reachable(arrows, folder):
    """The folders that one may include: itself, and what its arrows lead to."""
    found, pending = set(), [folder]
    while pending:
        name = pending.pop()
        if name not in found:
            found.add(name)
            pending += arrows.get(name, [])
    return found


def fault_of_own(allowed, folder, path):
    """Why folder must not include torsor/<path>, or None."""
    target = path.split("/")[0]
    if "/" not in path:
        return "a folder of the library includes other folders, not the header of the whole"
    if target not in allowed:
        return f"no arrow leads from {folder} to {target} (DEPENDS in torsor/{folder}/CMakeLists.txt)"
    return None


def fault_of_foreign(links, folder, path):
    """Why folder must not include <path>, or None."""
    if STANDARD.fullmatch(path):
        return None
    for prefix, target in THIRD_PARTY.items():
        if path.startswith(prefix):
            linked = links[folder] + links.get("core", [])
            return None if any(link.startswith(target) for link in linked) else f"{folder} does not link {target}"
    return "the library knows no such dependency"


def check_file(arrows, links, folder, name, text):
    """The faults of one file, as lines."""
    allowed = reachable(arrows, folder)
    faults = []
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        quote, path = match.groups()
        if path.startswith("torsor/"):
            fault = fault_of_own(allowed, folder, path.removeprefix("torsor/"))
        elif quote == '"':
            fault = 'our own headers are included by their path from the root, "torsor/<folder>/<file>"'
        else:
            fault = fault_of_foreign(links, folder, path)
        if fault:
            faults.append(f"{name}:{number}: {path}: {fault}")
    return faults


def check_tree(arrows_text, root):
    """The faults of every source below root/torsor, and how many files were read."""
    arrows, links = read_arrows(arrows_text)
    faults = [
        f"torsor/{folder}/CMakeLists.txt: depends on {target}, which is not a folder of the library"
        for folder, targets in arrows.items()
        for target in targets
        if target not in arrows
    ]
    count = 0
    for path in sorted(pathlib.Path(root, "torsor").glob("*/**/*")):
        if not path.is_file() or path.name == "CMakeLists.txt":
            continue
        relative = path.relative_to(root)
        folder = relative.parts[1]
        count += 1
        if folder not in arrows:
            faults.append(f"{relative}: the folder {folder} has no torsor_library()")
        else:
            faults += check_file(arrows, links, folder, relative, path.read_text(encoding="utf-8"))
    return faults, count


def main():
    arrows_file, root = sys.argv[1:]
    faults, count = check_tree(pathlib.Path(arrows_file).read_text(encoding="utf-8"), root)
    print("\n".join(faults) if faults else f"{count} files include along the arrows")
    return 1 if faults or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
