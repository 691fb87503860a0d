"""Landlock: limits what files a process and its descendants can open. Sources: landlock(7), include/uapi/linux/landlock.h."""

import ctypes
import os

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG = 1
PATH_BENEATH = 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
# Number of rights of the file system that each version of the interface knows.
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
LATEST_RIGHTS = 16
TCP_BIND_AND_CONNECT = 3
ABSTRACT_SOCKETS_AND_SIGNALS = 3


class RulesetAttributes(ctypes.Structure):
    _fields_ = [("fs", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64)]


class PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("access", ctypes.c_uint64), ("parent", ctypes.c_int32)]


def open_paths(paths):
    """Returns descriptors of files and folders for `make_ruleset`, with the access that they give."""
    return [(os.open(path, os.O_PATH | os.O_CLOEXEC), READ_FILE | READ_DIR if os.path.isdir(path) else READ_FILE) for path in paths]


def make_ruleset(libc, readable):
    """Returns a descriptor of the rule that only files below `readable` can be read, or `None` where the kernel has no Landlock.

    `readable` comes from `open_paths`, called while the process may still reach the paths.
    """
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG)
    if version < 1:
        return None
    attributes = RulesetAttributes(fs=(1 << RIGHTS.get(version, LATEST_RIGHTS)) - 1)
    size = 8
    if version >= 4:
        attributes.net = TCP_BIND_AND_CONNECT
        size = 16
    if version >= 6:
        attributes.scoped = ABSTRACT_SOCKETS_AND_SIGNALS
        size = 24
    ruleset = checked(libc.syscall(CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(size), 0))
    for descriptor, access in readable:
        checked(libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, ctypes.byref(PathBeneath(access, descriptor)), 0))
    return ruleset


def restrict(libc, ruleset):
    """Applies a rule to the process and its descendants, in addition to those that apply. The process must have set no_new_privs."""
    checked(libc.syscall(RESTRICT_SELF, ruleset, 0))


def checked(result):
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, "Landlock: " + os.strerror(error))
    return result
