"""Compiles sources that it reads from standard input, and never runs them. A request is the length of the source, four bytes, and the source in UTF-8; the
response is a line of JSON: an object that is empty when the source compiles."""

import json
import os
import resource
import struct
import sys

CLEAN = "--clean"
FLAGS = ["-I", "-B", "-S", "-X", "utf8", "-W", "ignore"]
MEMORY_BYTES = 512 * 1024 * 1024
MAX_MESSAGE = 500


def limit():
    for kind, value in ((resource.RLIMIT_AS, MEMORY_BYTES), (resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, 16)):
        resource.setrlimit(kind, (value, value))


def check(source):
    try:
        compile(source.decode("utf-8"), "<criteria>", "exec", dont_inherit=True)
        return {}
    except SyntaxError as error:
        return {"message": str(error.msg)[:MAX_MESSAGE], "line": error.lineno}
    except (MemoryError, RecursionError):
        return {"message": "the source nests too deeply"}
    except ValueError as error:
        return {"message": str(error)[:MAX_MESSAGE]}


def main():
    if CLEAN not in sys.argv:
        # What the process was started with stays readable in /proc, so it starts again without an environment.
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        os.execve(sys.executable, [sys.executable] + FLAGS + sys.argv + [CLEAN], kept)
    limit()
    read, write = sys.stdin.buffer, sys.stdout.buffer
    while True:
        header = read.read(4)
        if len(header) < 4:
            return
        source = read.read(struct.unpack(">I", header)[0])
        write.write(json.dumps(check(source)).encode("ascii") + b"\n")
        write.flush()


main()
