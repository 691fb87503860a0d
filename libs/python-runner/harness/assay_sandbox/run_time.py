"""Run time of a child: the wall time in which it has run or slept. It does not pass while the child waits for a core, so that a busy machine stops no
metric that is quick.

The kernel counts how long a process has waited for a core: second field of `/proc/<pid>/schedstat` (sched-stats in the kernel's documentation). A metric
has neither threads nor children, so the figures of the process's first thread are all there is. Where they are missing or hidden, CPU time counts.
"""

import os
import time

# Wall time that ends every call, as a multiple of its limit; `frames.ts` has the same.
LAST_RESORT = 20
SHORTEST_WAIT = 0.001
# The kernel counts what a running process has used at each tick of its clock, every 1 to 10 ms.
CONFIRMATION_WAIT = 0.005
NANOSECOND = 1e-9


class Schedstat:
    """What the kernel has counted of a process."""

    def __init__(self, pid):
        self.file = os.open("/proc/%d/schedstat" % pid, os.O_RDONLY | os.O_CLOEXEC)

    def read(self):
        """Returns for how long the process has run, and for how long it has waited for a core."""
        ran, waited = os.pread(self.file, 96, 0).split()[:2]
        return int(ran) * NANOSECOND, int(waited) * NANOSECOND

    def close(self):
        os.close(self.file)


class LessWaits:
    """Measures wall time less the waits for a core."""

    def __init__(self, pid):
        self.state, self.schedstat = "/proc/%d/stat" % pid, Schedstat(pid)

    def start(self):
        self.before, self.suspected = self.schedstat.read()[1], None

    def left(self, limit, wall):
        """Returns the rest of the limit; 0 when it is certain that there is none."""
        is_asleep = self.is_asleep()
        ran, waited = self.schedstat.read()
        waited -= self.before
        if wall - waited < limit:
            self.suspected = None
            return limit - (wall - waited)
        # A wait is counted when it ends. Those that began before a child was seen asleep, or has run again, have ended.
        if is_asleep:
            return 0
        if self.suspected is not None:
            wall_then, ran_then = self.suspected
            if ran == ran_then:
                return CONFIRMATION_WAIT
            if wall_then - waited >= limit:
                return 0
        self.suspected = wall, ran
        return CONFIRMATION_WAIT

    def is_asleep(self):
        with open(self.state, "rb") as file:
            return file.read().rpartition(b") ")[2][:1] in (b"S", b"D")

    def close(self):
        self.schedstat.close()


class CpuTime:
    """Measures CPU time, on kernels that do not count waits or hide them. A child that sleeps uses none, so the last resort ends it."""

    def __init__(self, pid):
        # clock_getcpuclockid(3): the clock of another process.
        self.clock = (~pid << 3) | 2

    def start(self):
        self.before = self.read()

    def left(self, limit, wall):
        now = self.read()
        return max(0, limit - (wall if None in (now, self.before) else now - self.before))

    def read(self):
        """Returns `None` where the clock cannot be read; then wall time counts."""
        try:
            return time.clock_gettime(self.clock)
        except OSError:
            return None

    def close(self):
        pass


class RunTime:
    """Limits the run time of one child."""

    def __init__(self, pid, has_waits):
        """`has_waits`: see `counts_waits`."""
        self.meter = meter_of(pid, has_waits)
        # Whether it distinguishes sleeping from waiting.
        self.is_exact = isinstance(self.meter, LessWaits)

    def start(self, limit):
        self.meter.start()
        self.limit, self.started = limit, time.monotonic()

    def seconds(self):
        """Wall time since the start."""
        return time.monotonic() - self.started

    def left(self):
        """Returns the seconds in which the child cannot reach its limit; 0 when it has."""
        wall = self.seconds()
        left = self.limit - wall if wall < self.limit else self.meter.left(self.limit, wall)
        return max(left, SHORTEST_WAIT) if left > 0 else 0

    def is_over(self):
        """Whether the wall time is, which ends the call whatever the child did."""
        return self.seconds() >= LAST_RESORT * self.limit

    def close(self):
        self.meter.close()


def counts_waits():
    """Whether the kernel counts waits, and `/proc` knows processes by the numbers that they have here."""
    try:
        if os.readlink("/proc/self") != str(os.getpid()):
            return False
        own = Schedstat(os.getpid())
        try:
            return own.read()[0] > 0
        finally:
            own.close()
    except (OSError, ValueError):
        return False


def meter_of(pid, has_waits):
    """`/proc` may hide other processes, such as a child that gave up its rights."""
    try:
        return LessWaits(pid) if has_waits else CpuTime(pid)
    except OSError:
        return CpuTime(pid)
