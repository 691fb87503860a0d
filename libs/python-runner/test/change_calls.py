"""Runs a command on which system calls behave as on another machine: `change_calls.py <change> <command>`.

Such a machine has no Landlock, or claims to protect and does not.
"""

import ctypes
import errno
import os
import platform
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from assay_sandbox import landlock
from assay_sandbox.seccomp import ALLOW, ERROR, JUMP_EQUAL, LOAD, NUMBER, PR_SET_SECCOMP, Filter, Program, install, low_word, returning

PRCTL, SETRLIMIT, PRLIMIT = {"x86_64": (157, 160, 302), "aarch64": (167, 164, 261)}[platform.machine()]
SUCCESS = [returning(ERROR)]
MISSING = [returning(ERROR | errno.ENOSYS)]
CHANGES = {
    "no landlock": {number: MISSING for number in (landlock.CREATE_RULESET, landlock.ADD_RULE, landlock.RESTRICT_SELF)},
    "pretended landlock": {landlock.RESTRICT_SELF: SUCCESS},
    "pretended seccomp": {PRCTL: [low_word(0), (JUMP_EQUAL, 0, 1, PR_SET_SECCOMP), *SUCCESS, returning(ALLOW)]},
    "no seccomp": {PRCTL: [low_word(0), (JUMP_EQUAL, 0, 1, PR_SET_SECCOMP), returning(ERROR | errno.EINVAL), returning(ALLOW)]},
    "pretended limits": {SETRLIMIT: SUCCESS, PRLIMIT: SUCCESS},
}

libc = ctypes.CDLL(None, use_errno=True)
code = [(LOAD, 0, 0, NUMBER)]
for number, rule in CHANGES[sys.argv[1]].items():
    code += [(JUMP_EQUAL, 0, len(rule), number), *rule]
code.append(returning(ALLOW))
libc.prctl(38, 1, 0, 0, 0)
install(libc, Program(len(code), (Filter * len(code))(*code)))
os.execvp(sys.argv[2], sys.argv[2:])
