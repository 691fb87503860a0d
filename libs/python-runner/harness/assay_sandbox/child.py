"""The process of one call: enters the sandbox, reads one job from descriptor 0, evaluates it, writes the outcome to descriptor 3 and ends."""

import io
import json
import os
import random
import struct
import sys

# Bound before a metric can replace them.
from builtins import bytearray, len, memoryview

from . import landlock, privileges, seccomp
from .metric import evaluate

JOB, OUTPUT, ERRORS, RESULT = 0, 1, 2, 3
STARTED, COMPILED, NOT_COMPILED = b"S", b"C", b"N"
MAX_CHUNK = 1 << 20
OUT_OF_MEMORY = b'{"ok":false,"error":{"code":"execution_error","message":"MemoryError"}}'
UNREADABLE = b'{"ok":false,"error":{"code":"unprocessable","message":"the event is too large or too deep to be evaluated"}}'
LENGTH = struct.Struct("<I")


class Sandbox:
    """What every child needs, made once in the parent."""

    def __init__(self, settings, memory_bytes, rules):
        """`rules`: of the files that it may read, or `None` where the kernel has no Landlock; then it may read none."""
        self.memory_bytes, self.rules = memory_bytes, rules
        self.cpu_seconds = settings["maxSeconds"] + 1
        self.program = seccomp.build_filter(reads_files=rules is not None)
        self.parent = os.getpid()
        self.streams = [text_stream(JOB, "r"), text_stream(OUTPUT, "w"), text_stream(ERRORS, "w")]

    def run(self, job, output, result):
        """Runs in the child and never returns. The arguments are its ends of pipes."""
        try:
            self.enter(job, output, result)
            try:
                call = read_job()
            except (MemoryError, RecursionError):
                os.write(RESULT, STARTED + COMPILED)
                send(UNREADABLE)
                return
            os.write(RESULT, STARTED)
            send(evaluated(call))
        finally:
            os._exit(0)

    def enter(self, job, output, result):
        os.setsid()
        for source, target in ((job, JOB), (output, OUTPUT), (output, ERRORS), (result, RESULT)):
            os.dup2(source, target)
        if self.rules is not None:
            landlock.restrict(privileges.libc, self.rules)
        os.closerange(RESULT + 1, privileges.MAX_DESCRIPTORS)
        privileges.die_with_parent()
        if os.getppid() != self.parent:
            os._exit(0)
        privileges.limit_resources(self.memory_bytes, self.cpu_seconds)
        sys.stdin, sys.stdout, sys.stderr = self.streams
        sys.__stdin__, sys.__stdout__, sys.__stderr__ = self.streams
        reseed()
        seccomp.install(privileges.libc, self.program)


def evaluated(call):
    try:
        outcome = evaluate(call, lambda compiled: os.write(RESULT, COMPILED if compiled else NOT_COMPILED))
        return outcome.encode("ascii")
    except MemoryError:
        return OUT_OF_MEMORY


def read_job():
    (length,) = LENGTH.unpack(read_exactly(LENGTH.size))
    return json.loads(read_exactly(length))


def read_exactly(length):
    data = bytearray()
    while len(data) < length:
        chunk = os.read(JOB, min(length - len(data), MAX_CHUNK))
        if not chunk:
            os._exit(0)
        data += chunk
    return bytes(data)


def send(outcome):
    data = memoryview(LENGTH.pack(len(outcome)) + outcome)
    while data:
        data = data[os.write(RESULT, data) :]


def reseed():
    """Gives each call random numbers of its own; `random` does so in every fork."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(random.getrandbits(32))


def text_stream(descriptor, mode):
    raw = io.FileIO(descriptor, mode, closefd=False)
    errors = "backslashreplace" if mode == "w" else "replace"
    return io.TextIOWrapper(raw if mode == "w" else io.BufferedReader(raw), encoding="utf-8", errors=errors, write_through=mode == "w")
