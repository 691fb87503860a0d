"""Compiles sources that it reads from standard input, each in a process of its own, and never runs them.

Writes a line when it is ready. A request is the length of the source, four bytes, and the source in UTF-8. The response is a line of JSON: an object that
is empty when the source compiles, that has `message` when it does not, and `unchecked` when neither is known.
"""

import json
import os
import resource
import signal
import struct
import sys

CLEAN = "--clean"
FLAGS = ["-I", "-B", "-S", "-X", "utf8", "-W", "ignore"]
MEMORY_BYTES = 512 * 1024 * 1024
# CPU time of one check.
CPU_SECONDS = 1
MAX_MESSAGE = 500
MAX_RESPONSE = 8192


def limit():
    for kind, value in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_NOFILE, 16)):
        resource.setrlimit(kind, (value, value))
    if sys.platform.startswith("linux"):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


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


def check_apart(source):
    """Checks in a child, whose CPU time is limited and whose end harms nothing."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
            os.write(writing, json.dumps(check(source)).encode("ascii"))
        finally:
            os._exit(0)
    os.close(writing)
    response = os.read(reading, MAX_RESPONSE)
    os.close(reading)
    _, status, usage = os.wait4(pid, 0)
    return response or json.dumps(outcome_of(status, usage)).encode("ascii")


def outcome_of(status, usage):
    """Returns the outcome of a check whose process ended without one."""
    number = status & 0x7F
    # The kernel ends the process at a tick of its clock, a little after its accounts reach the limit.
    has_used_all = usage.ru_utime + usage.ru_stime >= CPU_SECONDS / 2
    if number in (signal.SIGKILL, signal.SIGXCPU):
        return {"unchecked": "cpu" if has_used_all else "killed"}
    if number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        return {"unchecked": "killed"}
    return {"message": "the compiler of Python fails on the source"}


def main():
    if CLEAN not in sys.argv:
        # What the process was started with stays readable in /proc, so it starts again without an environment.
        kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH",) if name in os.environ}
        os.execve(sys.executable, [sys.executable] + FLAGS + sys.argv + [CLEAN], kept)
    limit()
    read, write = sys.stdin.buffer, sys.stdout.buffer
    write.write(b"ready\n")
    write.flush()
    while True:
        header = read.read(4)
        if len(header) < 4:
            return
        source = read.read(struct.unpack(">I", header)[0])
        write.write(check_apart(source) + b"\n")
        write.flush()


main()
