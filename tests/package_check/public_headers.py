"""Checks which headers cmake --install installs: public_headers.py <cmake> <build> <compiler>.

They must be torsor/torsor.hpp and what it includes, as the compiler sees it, with nothing but the installed tree to look in.
"""

import pathlib
import subprocess
import sys
import tempfile

from commands import report, run


def headers_in(include):
    """The headers below a folder, by their path from there."""
    return {str(path.relative_to(include)) for path in include.glob("torsor/**/*") if path.is_file()}


def headers_read(compiler, include):
    """The headers below include that a compiler reads for <torsor/torsor.hpp>; None and its message if one is missing."""
    result = subprocess.run([compiler, "-std=c++20", "-M", "-I", include, "-x", "c++", "-"], text=True,
                            input="#include <torsor/torsor.hpp>\n", capture_output=True)
    if result.returncode != 0:
        return None, result.stderr
    words = result.stdout.replace("\\\n", " ").split()
    prefix = f"{include}/"
    return {word.removeprefix(prefix) for word in words if word.startswith(prefix)}, ""


def faults_of(compiler, include):
    """What is wrong with an installed tree of headers."""
    read, message = headers_read(compiler, include)
    if read is None:
        return [f"a public header includes one that is not installed:\n{message}"]
    return [f"installed, but not public: {header}" for header in sorted(headers_in(include) - read)]


def main():
    cmake, build, compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        run(cmake, "--install", build, "--prefix", folder)
        include = pathlib.Path(folder, "include")
        return report(faults_of(compiler, include), f"{len(headers_in(include))} public headers are installed")


if __name__ == "__main__":
    sys.exit(main())
