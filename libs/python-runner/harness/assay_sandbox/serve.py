"""The fork server: keeps one process ready, sends it a job, waits for its outcome within the limit of its run time, and ends it.

Bytes of calls pass only through a region of memory that children do not inherit, so that no metric finds data of another call in its memory.
Protocol: a request is `<II` (time limit in milliseconds, length) and a job in JSON. A response is `<BIiII` (kind, duration in
microseconds, wait status, length of the outcome, length of the output), the outcome and the output.
"""

import gc
import json
import mmap
import os
import select
import signal
import struct
import sys
import zoneinfo

from .child import STARTED, Sandbox
from .event_loop import use_event_loop
from .landlock import READ_DIR, make_ruleset, open_paths, restrict
from .preload import preload
from .privileges import address_space_bytes, drop_privileges, libc
from .run_time import RunTime, counts_waits

REQUEST, RESPONSE, LENGTH = struct.Struct("<II"), struct.Struct("<BIiII"), struct.Struct("<I")
# BUSY: the machine did not let the metric run. STALLED: it did not, or the metric slept; this machine does not tell which.
READY, ENDED, TIMEOUT, BUSY, STALLED, OUTPUT, LOST = b"HETBWOP"
MAX_OUTCOME = 1 << 20
KEPT_OUTPUT = 64 << 10
MAX_OUTPUT = 1 << 20
CHUNK = 256 << 10
# Beyond these no process that starts the server has descriptors that it could leave open.
MAX_INHERITED = 4096
# Time to read an event, which does not count.
READING_SECONDS = 2.0


class Closed(Exception):
    """The process that sends calls has ended."""


def serve(settings):
    os.chdir(settings["folder"])
    libraries = preload()
    use_event_loop()
    occupy_low_descriptors()
    readable = open_paths(path for path in {*sys.path, *zoneinfo.TZPATH} if path and os.path.exists(path))
    readable.append((os.open(".", os.O_PATH | os.O_CLOEXEC), READ_DIR))
    # This process also reads how long its children waited for a core. They cannot: each restricts itself further.
    proc = open_paths(["/proc"])
    memory_bytes = address_space_bytes() + settings["memoryBytes"]
    drop_privileges()
    own_rules, rules = make_ruleset(libc, [*readable, *proc]), make_ruleset(libc, readable)
    if own_rules is not None:
        restrict(libc, own_rules)
        os.close(own_rules)
    for descriptor, _ in [*readable, *proc]:
        os.close(descriptor)
    server = Server(Sandbox(settings, memory_bytes, rules))
    gc.collect()
    gc.freeze()
    hello = {"libraries": libraries, "landlock": rules is not None, "version": ".".join(map(str, sys.version_info[:3])), "pid": os.getpid()}
    server.greet(json.dumps(hello).encode())
    try:
        while True:
            server.handle()
    except Closed:
        server.end()


def occupy_low_descriptors():
    """A child receives its pipes as 0 to 3, so no pipe may get these numbers before. Closes what was inherited."""
    os.closerange(3, MAX_INHERITED)
    while True:
        descriptor = os.open("/dev/null", os.O_RDWR)
        if descriptor > 3:
            os.close(descriptor)
            return


class Child:
    """A process that waits for its job."""

    def __init__(self, sandbox, has_waits):
        job, self.job = os.pipe()
        self.output, output = os.pipe()
        self.result, result = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            sandbox.run(job, output, result)
        for descriptor in (job, output, result):
            os.close(descriptor)
        self.status = None
        self.run_time = RunTime(self.pid, has_waits)

    def kill(self):
        """Ends the process and everything in its group."""
        for kill in (os.killpg, os.kill):
            try:
                kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def reap(self):
        if self.status is None:
            self.status = os.waitpid(self.pid, 0)[1]
        return self.status

    def close(self):
        self.run_time.close()
        for descriptor in (self.job, self.output, self.result):
            if descriptor is not None:
                os.close(descriptor)

    def close_job(self):
        os.close(self.job)
        self.job = None


class Server:
    def __init__(self, sandbox):
        self.sandbox = sandbox
        size = CHUNK + MAX_OUTCOME + KEPT_OUTPUT
        # Private memory that a fork does not copy.
        self.memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self.memory.madvise(mmap.MADV_DONTFORK)
        view = memoryview(self.memory)
        self.chunk, self.outcome, self.output = view[:CHUNK], view[CHUNK : CHUNK + MAX_OUTCOME], view[CHUNK + MAX_OUTCOME :]
        self.has_waits = counts_waits()
        self.child = None

    def greet(self, hello):
        os.write(1, RESPONSE.pack(READY, 0, 0, len(hello), 0) + hello)
        self.child = Child(self.sandbox, self.has_waits)

    def handle(self):
        """Serves one call."""
        read_fully(0, self.chunk[: REQUEST.size])
        timeout_ms, length = REQUEST.unpack_from(self.chunk)
        child, self.child = self.child, None
        call = Call(self, child)
        kind = call.run(timeout_ms / 1000, length)
        child.kill()
        call.drain_output()
        status = 0 if call.is_complete() else child.reap()
        sizes = (call.outcome_size, call.output_size)
        header = RESPONSE.pack(kind, int(call.seconds * 1e6), status, *sizes)
        write_fully(1, [header, self.outcome[: sizes[0]], self.output[: sizes[1]]])
        child.reap()
        child.close()
        self.child = Child(self.sandbox, self.has_waits)

    def end(self):
        if self.child is not None:
            self.child.kill()
            self.child.reap()


class Call:
    """One call and the child that evaluates it."""

    def __init__(self, server, child):
        self.server, self.child = server, child
        self.outcome_size = self.output_size = self.printed = 0
        self.seconds = 0.0

    def run(self, limit, length):
        """Returns the kind of the response."""
        if not self.send_job(length) or not self.wait_for_start():
            return LOST
        run_time = self.child.run_time
        run_time.start(limit)
        kind = self.wait_for_outcome()
        self.seconds = run_time.seconds()
        return kind

    def send_job(self, length):
        """Copies the job from standard input to the child; always reads all of it."""
        alive = True
        LENGTH.pack_into(self.server.chunk, 0, length)
        filled, rest = LENGTH.size, length
        while True:
            size = min(rest, CHUNK - filled)
            read_fully(0, self.server.chunk[filled : filled + size])
            rest -= size
            try:
                if alive:
                    write_fully(self.child.job, [self.server.chunk[: filled + size]])
            except BrokenPipeError:
                alive = False
            filled = 0
            if rest == 0:
                self.child.close_job()
                return alive

    def wait_for_start(self):
        readable = select.select([self.child.result], [], [], READING_SECONDS)[0]
        return bool(readable) and os.read(self.child.result, 1) == STARTED

    def wait_for_outcome(self):
        run_time = self.child.run_time
        poller = select.poll()
        for descriptor in (self.child.result, self.child.output):
            poller.register(descriptor, select.POLLIN)
        while True:
            is_over = run_time.is_over()
            seconds = 0 if is_over else run_time.left()
            kind = self.receive(poller, seconds)
            # What has arrived until now counts, also when this process was too busy to look.
            if kind is not None:
                return kind
            if is_over:
                return BUSY if run_time.is_exact else STALLED
            if seconds == 0:
                return TIMEOUT

    def receive(self, poller, seconds):
        """Waits for something to read. Returns the kind of the response when the call has ended."""
        for descriptor, _ in poller.poll(seconds * 1000):
            if descriptor == self.child.output and self.read_output() == 0:
                poller.unregister(descriptor)
            if descriptor == self.child.result and (self.read_outcome() == 0 or self.is_complete()):
                return ENDED
        return OUTPUT if self.printed > MAX_OUTPUT else None

    def read_outcome(self):
        free = self.server.outcome[self.outcome_size :]
        size = os.readv(self.child.result, [free]) if len(free) > 0 else 0
        self.outcome_size += size
        return size

    def is_complete(self):
        """Whether the outcome has arrived: a byte that states whether the source has compiled, a length, and as many bytes."""
        start = 1 + LENGTH.size
        return self.outcome_size >= start and self.outcome_size >= start + LENGTH.unpack_from(self.server.outcome, 1)[0]

    def read_output(self):
        free = self.server.output[self.output_size :]
        size = os.readv(self.child.output, [free if len(free) > 0 else self.server.chunk])
        self.output_size += min(size, len(free))
        self.printed += size
        return size

    def drain_output(self):
        while self.printed < KEPT_OUTPUT and select.select([self.child.output], [], [], 0)[0]:
            if self.read_output() == 0:
                return


def read_fully(descriptor, view):
    filled = 0
    while filled < len(view):
        size = os.readv(descriptor, [view[filled:]])
        if size == 0:
            raise Closed
        filled += size


def write_fully(descriptor, parts):
    for part in parts:
        view = memoryview(part)
        while len(view) > 0:
            view = view[os.write(descriptor, view) :]
