"""seccomp filter: the system calls that a metric may make. Sources: seccomp(2), include/uapi/linux/filter.h, the kernel's call tables."""

import ctypes
import errno
import fcntl
import os
import platform

LOAD, JUMP_EQUAL, JUMP_SET, JUMP_GREATER_EQUAL, RETURN = 0x20, 0x15, 0x45, 0x35, 0x06
ALLOW, KILL, ERROR = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
PR_SET_SECCOMP, FILTER_MODE = 22, 2
PROT_EXEC = 4
O_TMPFILE = 0o20000000
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | O_TMPFILE
X32_CALLS = 0x40000000

MACHINES = {
    "x86_64": {
        "arch": 0xC000003E,
        "calls": {
            "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7, "lseek": 8, "mmap": 9, "mprotect": 10,
            "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "ioctl": 16, "pread64": 17, "readv": 19,
            "writev": 20, "access": 21, "select": 23, "sched_yield": 24, "mremap": 25, "madvise": 28, "nanosleep": 35, "getpid": 39, "exit": 60,
            "uname": 63, "fcntl": 72, "getcwd": 79, "readlink": 89, "gettimeofday": 96, "getrusage": 98, "times": 100, "getuid": 102,
            "getgid": 104, "geteuid": 107, "getegid": 108, "getppid": 110, "sigaltstack": 131, "gettid": 186, "time": 201, "futex": 202,
            "sched_getaffinity": 204, "getdents64": 217, "restart_syscall": 219, "clock_gettime": 228, "clock_getres": 229,
            "clock_nanosleep": 230, "exit_group": 231, "openat": 257, "newfstatat": 262, "readlinkat": 267, "faccessat": 269, "pselect6": 270,
            "ppoll": 271, "prlimit64": 302, "getrandom": 318, "statx": 332, "clone3": 435, "openat2": 437, "faccessat2": 439,
        },
    },
    "aarch64": {
        "arch": 0xC00000B7,
        "calls": {
            "getcwd": 17, "fcntl": 25, "ioctl": 29, "faccessat": 48, "openat": 56, "close": 57, "getdents64": 61, "lseek": 62, "read": 63,
            "write": 64, "readv": 65, "writev": 66, "pread64": 67, "pselect6": 72, "ppoll": 73, "readlinkat": 78, "newfstatat": 79, "fstat": 80,
            "exit": 93, "exit_group": 94, "futex": 98, "nanosleep": 101, "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115,
            "sched_getaffinity": 123, "sched_yield": 124, "restart_syscall": 128, "sigaltstack": 132, "rt_sigaction": 134,
            "rt_sigprocmask": 135, "rt_sigreturn": 139, "times": 153, "uname": 160, "getrusage": 165, "gettimeofday": 169, "getpid": 172,
            "getppid": 173, "getuid": 174, "geteuid": 175, "getgid": 176, "getegid": 177, "gettid": 178, "brk": 214, "munmap": 215,
            "mremap": 216, "mmap": 222, "mprotect": 226, "madvise": 233, "prlimit64": 261, "getrandom": 278, "statx": 291, "clone3": 435,
            "openat2": 437, "faccessat2": 439,
        },
    },
}

HARMLESS = """
read write close fstat poll lseek munmap brk rt_sigaction rt_sigprocmask rt_sigreturn pread64 readv writev select sched_yield mremap madvise
nanosleep getpid exit uname getcwd gettimeofday getrusage times getuid getgid geteuid getegid getppid sigaltstack gettid time futex
sched_getaffinity restart_syscall clock_gettime clock_getres clock_nanosleep exit_group pselect6 ppoll getrandom
""".split()
LOOKING_UP = ["stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "getdents64"]
# The C library falls back to another call, or takes the result for an ordinary one.
OTHER_ERRORS = {"clone3": errno.ENOSYS, "openat2": errno.ENOSYS, "readlink": errno.EINVAL, "readlinkat": errno.EINVAL, "ioctl": errno.ENOTTY}
FCNTL_COMMANDS = [fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL]


class Filter(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint16), ("jt", ctypes.c_uint8), ("jf", ctypes.c_uint8), ("k", ctypes.c_uint32)]


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_uint16), ("filters", ctypes.POINTER(Filter))]


def build_filter(reads_files):
    """Returns the filter's program. `reads_files`: Landlock limits which files can be opened, so opening for reading is allowed."""
    machine = MACHINES.get(platform.machine())
    if machine is None:
        raise OSError(errno.ENOSYS, "the sandbox supports x86_64 and aarch64, this is " + platform.machine())
    calls = machine["calls"]
    code = [(LOAD, 0, 0, ARCHITECTURE), (JUMP_EQUAL, 1, 0, machine["arch"]), returning(KILL), (LOAD, 0, 0, NUMBER)]
    code += [(JUMP_GREATER_EQUAL, 0, 1, X32_CALLS), returning(KILL)]
    rules = {name: [returning(ALLOW)] for name in HARMLESS}
    rules.update({name: [returning(ERROR | number)] for name, number in OTHER_ERRORS.items()})
    rules.update(mmap=unless_set(2, PROT_EXEC, errno.EPERM), mprotect=unless_set(2, PROT_EXEC, errno.EPERM))
    rules.update(fcntl=if_one_of(1, FCNTL_COMMANDS), prlimit64=only_reading_own_limits())
    looking_up = [returning(ALLOW)] if reads_files else [returning(ERROR | errno.EACCES)]
    rules.update({name: looking_up for name in LOOKING_UP})
    opening = {"open": unless_set(1, WRITING, errno.EACCES), "openat": unless_set(2, WRITING, errno.EACCES)}
    rules.update(opening if reads_files else {name: looking_up for name in opening})
    for name, rule in rules.items():
        if name in calls:
            code += [(JUMP_EQUAL, 0, len(rule), calls[name]), *rule]
    code.append(returning(ERROR | errno.EPERM))
    filters = (Filter * len(code))(*code)
    return Program(len(code), filters)


def install(libc, program):
    if libc.prctl(PR_SET_SECCOMP, FILTER_MODE, ctypes.byref(program), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the seccomp filter cannot be installed")


def returning(action):
    return (RETURN, 0, 0, action)


def low_word(argument):
    return (LOAD, 0, 0, ARGUMENTS + 8 * argument)


def high_word(argument):
    return (LOAD, 0, 0, ARGUMENTS + 8 * argument + 4)


def unless_set(argument, bits, error):
    return [low_word(argument), (JUMP_SET, 0, 1, bits), returning(ERROR | error), returning(ALLOW)]


def if_one_of(argument, values):
    checks = [instruction for value in values for instruction in ((JUMP_EQUAL, 0, 1, value), returning(ALLOW))]
    return [low_word(argument), *checks, returning(ERROR | errno.EPERM)]


def only_reading_own_limits():
    zero = [word for part in (low_word(0), low_word(2), high_word(2)) for word in (part, (JUMP_EQUAL, 1, 0, 0), returning(ERROR | errno.EPERM))]
    return [*zero, returning(ALLOW)]
