"""What the checks of this folder share."""

import subprocess
import sys


def run(*command, **options):
    """Runs a command and returns what it printed; if it fails, shows that and ends the test."""
    result = subprocess.run(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}")
    return result.stdout


def report(faults, success):
    """The exit code of a check: prints what is wrong, or what was found right."""
    print("\n".join(faults) if faults else success)
    return 1 if faults else 0
