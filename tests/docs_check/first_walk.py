"""Builds and runs the C++ example of docs/start.md against an installed Torsor: first_walk.py <cmake> <build> <root>.

So the page, the install rules and find_package(torsor) are right together.
"""

import pathlib
import re
import subprocess
import sys
import tempfile


def code_block(page, language):
    """The one block of this language that is a whole file."""
    blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    if len(blocks) != 1:
        sys.exit(f"docs/start.md has {len(blocks)} blocks of {language}, expected one")
    return blocks[0]


def run(*command, **options):
    """Runs a command; if it fails, shows what it said and ends the test."""
    result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}")
    return result.stdout


def main():
    cmake, build, root = sys.argv[1:]
    page = pathlib.Path(root, "docs/start.md").read_text(encoding="utf-8")
    expected = re.search(r"It prints `([^`]+)`", page).group(1)
    with tempfile.TemporaryDirectory() as folder:
        user = pathlib.Path(folder)
        run(cmake, "--install", build, "--prefix", user / "prefix")
        for name, language in (("CMakeLists.txt", "cmake"), ("arm.cpp", "cpp"), ("arm.xml", "xml")):
            (user / name).write_text(code_block(page, language), encoding="utf-8")
        run(cmake, "-G", "Ninja", "-S", user, "-B", user / "build", f"-DCMAKE_PREFIX_PATH={user / 'prefix'}")
        run(cmake, "--build", user / "build")
        printed = run(user / "build" / "arm", cwd=user).strip()
    print(printed)
    return 0 if printed == expected else f"expected: {expected}"


if __name__ == "__main__":
    sys.exit(main())
