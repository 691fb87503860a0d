"""Runs a command as on a kernel without Landlock: its system calls fail with ENOSYS."""

import ctypes
import errno
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../harness"))
from assay_sandbox.landlock import ADD_RULE, CREATE_RULESET, RESTRICT_SELF
from assay_sandbox.seccomp import ALLOW, ERROR, JUMP_EQUAL, LOAD, NUMBER, Filter, Program, install, returning

libc = ctypes.CDLL(None, use_errno=True)
code = [(LOAD, 0, 0, NUMBER)]
for number in (CREATE_RULESET, ADD_RULE, RESTRICT_SELF):
    code += [(JUMP_EQUAL, 0, 1, number), returning(ERROR | errno.ENOSYS)]
code.append(returning(ALLOW))
libc.prctl(38, 1, 0, 0, 0)
install(libc, Program(len(code), (Filter * len(code))(*code)))
os.execvp(sys.argv[1], sys.argv[1:])
