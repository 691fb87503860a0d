"""Starts the fork server of PYTHON metrics: `python3 -I main.py <settings as JSON>`.

Restarts the interpreter with an empty environment, loads the libraries, gives up privileges, then serves calls on standard input.
"""

import json
import os
import struct
import sys

CLEAN = "--clean"
FLAGS = ["-I", "-B", "-X", "utf8", "-W", "ignore"]


def refuse(reason):
    """Sends the reason why PYTHON metrics cannot be evaluated here, and ends the process."""
    text = reason.encode("utf-8", "replace")
    os.write(1, struct.pack("<BIiII", ord("R"), 0, 0, len(text), 0) + text)
    os._exit(0)


def main():
    if sys.version_info < (3, 9):
        refuse("Python 3.9 or later is required, this is %d.%d" % sys.version_info[:2])
    if not sys.platform.startswith("linux"):
        refuse("the sandbox needs Linux, this is %s" % sys.platform)
    if CLEAN not in sys.argv:
        # What the process was started with stays readable in /proc, so it starts again without an environment.
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        os.execve(sys.executable, [sys.executable] + FLAGS + sys.argv + [CLEAN], kept)
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from assay_sandbox.serve import serve

    sys.path.pop(0)
    try:
        serve(json.loads(sys.argv[1]))
    except Exception as error:
        refuse("%s: %s" % (type(error).__name__, error))


main()
