"""Gives up what the fork server does not need before it evaluates the first metric."""

import ctypes
import os
import resource
import signal

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
CLONE_NEWIPC, CLONE_NEWNET = 0x08000000, 0x40000000
CAPABILITIES_VERSION_3 = 0x20080522
NOBODY = 65534
MAX_DESCRIPTORS = 64

libc = ctypes.CDLL(None, use_errno=True)


def drop_privileges():
    """Leaves the network, the root user and all capabilities. Permanent, and inherited by every child."""
    prefer_as_victim()
    if os.geteuid() == 0:
        # A second lock on the network where the process may create namespaces.
        libc.unshare(CLONE_NEWNET | CLONE_NEWIPC)
        leave_root()
    header = (ctypes.c_uint32 * 2)(CAPABILITIES_VERSION_3, 0)
    checked(libc.capset(header, (ctypes.c_uint32 * 6)()), "dropping capabilities")
    checked(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "setting no_new_privs")
    # Processes of the same user cannot read its memory in /proc.
    checked(libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0), "making the process undumpable")
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_DESCRIPTORS, MAX_DESCRIPTORS))


def leave_root():
    """Changes to an unprivileged user. A user namespace may know no other; there, root has the rights of the user who made it."""
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
    except OSError:
        pass


def prefer_as_victim():
    """Makes the kernel end this process and its children before others when the machine has no memory left."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass


def address_space_bytes():
    """Returns the size of the address space of this process."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def die_with_parent():
    checked(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "tying the process to its parent")


def limit_resources(memory_bytes, cpu_seconds):
    limits = {
        resource.RLIMIT_AS: memory_bytes,
        resource.RLIMIT_CPU: cpu_seconds,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_MEMLOCK: 0,
    }
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))


def checked(result, step):
    if result != 0:
        raise OSError(ctypes.get_errno(), step + " failed")
