"""Builds the documentation site with warnings as errors, and checks that its API pages are complete: site.py <build> <root>.

Every public class and function of the package, and of its public modules, must have a place on an API page.
"""

import importlib
import inspect
import pathlib
import subprocess
import sys
import zlib

RE_EXPORTING = ["torsor", "torsor.newton", "torsor.cluster", "torsor.search"]  # their names are defined in private modules
DEFINING = ["torsor.conventions", "torsor.linear", "torsor.motion", "torsor.newton.math", "torsor.newton.selection",
            "torsor.newton.solvers", "torsor.newton.utils", "torsor.rotations", "torsor.sap"]


def documented_names(inventory):
    """The objects that the site documents, from the inventory that mkdocstrings writes for links from other sites."""
    header_lines = 4
    *_, packed = inventory.split(b"\n", header_lines)
    return {line.split(" ", 1)[0] for line in zlib.decompress(packed).decode().splitlines()}


def public_names(module_name):
    """Classes and functions that a user can reach as module.name."""
    for name, value in vars(importlib.import_module(module_name)).items():
        if name.startswith("_") or inspect.ismodule(value) or not callable(value):
            continue
        if module_name in RE_EXPORTING or getattr(value, "__module__", None) == module_name:
            yield f"{module_name}.{name}"


def main():
    build, root = (pathlib.Path(argument) for argument in sys.argv[1:])
    result = subprocess.run([root / "scripts/docs", "--package", build / "python"], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(result.stdout)
    if result.returncode != 0:
        return "scripts/docs failed"
    sys.path.insert(0, str(build / "python"))
    wanted = {name for module in RE_EXPORTING + DEFINING for name in public_names(module)}
    missing = sorted(wanted - documented_names((root / "build/site/objects.inv").read_bytes()))
    print(f"{len(wanted)} public classes and functions, {len(missing)} of them missing on the API pages")
    return "not on the API pages: " + ", ".join(missing) if missing else 0


if __name__ == "__main__":
    sys.exit(main())
