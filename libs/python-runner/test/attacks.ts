import type { PythonCall, PythonErrorCode, PythonValue } from '../src/python-runner.js';

/** A metric that misbehaves, and what its evaluation must return. */
export interface Attack {
  readonly name: string;
  readonly source: string;
  readonly call?: Partial<PythonCall>;
  /** `failure`: how it fails depends on the speed of the machine. */
  readonly expected: PythonErrorCode | 'failure' | { readonly value: PythonValue };
  /** Part of the error's message. */
  readonly message?: RegExp;
}

const REFUSED = /PermissionError|Operation not permitted|Permission denied/;
const NO_RESULT = /ended without a result/;

/** Attacks that the kernel refuses, so that Python raises an error. */
const refused = (attacks: Readonly<Record<string, string>>): Attack[] =>
  Object.entries(attacks).map(([name, source]) => ({
    name,
    source,
    expected: 'execution_error',
    message: REFUSED,
  }));

const timesOut = (attacks: Readonly<Record<string, string>>): Attack[] =>
  Object.entries(attacks).map(([name, source]) => ({ name, source, expected: 'timeout' }));

const fails = (attacks: Readonly<Record<string, string>>, message?: RegExp): Attack[] =>
  Object.entries(attacks).map(([name, source]) => ({ name, source, expected: 'execution_error', message }));

/** Returns a metric that calls the C library and raises the error of the call. */
const native = (call: string): string => `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
if ${call} == -1:
    raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
result = 1`;

const NOT_COMPILING: Attack[] = Object.entries({
  'an open bracket': 'result = (',
  'wrong indentation': 'def f():\nreturn 1',
  'a return outside a function': 'return 1',
  'a NUL character': 'result = 1\0',
  'an unpaired surrogate': 'result = "\ud800"',
  'a template': '{% if inputs.question %}',
  'too many brackets': `${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
}).map(([name, source]) => ({ name, source, expected: 'compilation_error' }));

const TIME: Attack[] = [
  ...timesOut({
    'a loop': 'while True: pass',
    'a loop that catches everything':
      'while True:\n    try:\n        while True: pass\n    except BaseException: pass',
    'a loop in C': 'sum(range(10**12))',
    'a power': 'x = 9**9**8',
    'a regular expression': `import re\nre.match('(a+)+$', 'a' * 40 + 'b')`,
    'a sleep': 'import time\ntime.sleep(60)',
    'a lock that is never released':
      'import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()',
    'a coroutine that sleeps': 'import asyncio\nasync def f(event):\n    await asyncio.sleep(60)',
    'a handler of every signal':
      'import signal\nfor n in range(1, 65):\n    try: signal.signal(n, signal.SIG_IGN)\n    except (OSError, ValueError): pass\nwhile True: pass',
    'input that never comes': 'import select\nselect.select([], [], [], 60)',
    'a loop after closing its output': 'import os\nos.close(1)\nos.close(2)\nwhile True: pass',
  }),
  {
    name: 'a slow conversion of the result',
    source: 'class Slow:\n    def __str__(self):\n        while True: pass\nresult = Slow()',
    call: { returnType: 'string' },
    expected: 'timeout',
  },
  {
    name: 'a slow text of an exception',
    source: 'class Slow(Exception):\n    def __str__(self):\n        while True: pass\nraise Slow()',
    expected: 'timeout',
  },
];

const MEMORY: Attack[] = [
  ...fails(
    {
      'one large object': 'x = bytearray(10**10)',
      'a text that is multiplied': 'x = "x" * 10**11',
      'a list of lists': 'x = [0] * 10**9',
      'native memory':
        'import ctypes\nctypes.CDLL(None).malloc.restype = ctypes.c_void_p\nif not ctypes.CDLL(None).malloc(ctypes.c_size_t(1 << 40)): raise MemoryError',
      'a mapping': 'import mmap\nmmap.mmap(-1, 1 << 40)',
    },
    /MemoryError|Cannot allocate memory/,
  ),
  {
    name: 'memory that is allocated until none is left',
    source: 'kept = []\nwhile True: kept.append(bytearray(1 << 24))',
    expected: 'failure',
  },
  {
    name: 'endless recursion without a limit',
    source: 'import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()',
    expected: 'failure',
  },
  ...fails({ 'endless recursion': 'def f(): f()\nf()' }, /RecursionError/),
];

const PROCESSES: Attack[] = [
  ...refused({
    fork: 'import os\nos.fork()',
    forkpty: 'import os\nos.forkpty()',
    'a program': `import os\nos.execv('/bin/sh', ['sh'])`,
    'a spawned program': `import os\nos.posix_spawn('/bin/sh', ['sh'], {})`,
    subprocess: `import subprocess\nsubprocess.run(['id'])`,
    'a signal to the parent': 'import os, signal\nos.kill(os.getppid(), signal.SIGKILL)',
    'a signal to every process': 'import os, signal\nos.kill(-1, signal.SIGKILL)',
    'a signal to the process group': 'import os, signal\nos.killpg(0, signal.SIGKILL)',
    'leaving the session': 'import os\nos.setsid()',
    'another priority': 'import os\nos.nice(-5)',
    'limits of the parent': 'import os, resource\nresource.prlimit(os.getppid(), resource.RLIMIT_CPU)',
  }),
  ...fails(
    { 'a thread': 'import threading\nthreading.Thread(target=print).start()' },
    /can't start new thread/,
  ),
  ...fails({
    'a pool of threads':
      'from concurrent.futures import ThreadPoolExecutor\nThreadPoolExecutor().submit(print).result()',
  }),
  ...fails({
    multiprocessing: `import multiprocessing\nmultiprocessing.get_context('fork').Process(target=print).start()`,
    'higher limits': 'import resource\nresource.setrlimit(resource.RLIMIT_CPU, (100, 100))',
  }),
  {
    name: 'a shell',
    source: `import os\nresult = os.system('id') != 0`,
    expected: { value: 1 },
  },
];

const OUTPUT: Attack[] = [
  ...fails({ 'endless output': `while True: print('x' * 1000)` }, /printed more than/).map((attack) => ({
    ...attack,
    call: { timeoutMs: 2_000 },
  })),
  ...fails(
    { 'endless output on standard error': `import os\nwhile True: os.write(2, b'x' * 1000)` },
    /printed more than/,
  ).map((attack) => ({ ...attack, call: { timeoutMs: 2_000 } })),
  {
    name: 'output of unpaired surrogates and broken UTF-8',
    source: `import os\nprint('\\ud800')\nos.write(1, b'\\xff\\xfe')\nresult = 1`,
    expected: { value: 1 },
  },
  ...fails({ 'a result that is too long': `import os\nwhile True: os.write(3, b'x' * 1000)` }).map(
    (attack) => ({
      ...attack,
      call: { timeoutMs: 2_000 },
    }),
  ),
  {
    name: 'a text that is too long',
    source: `result = 'x' * 200_000`,
    call: { returnType: 'string' },
    expected: 'execution_error',
    message: /longer than/,
  },
];

const FILES: Attack[] = [
  ...refused({
    'the list of users': `open('/etc/passwd').read()`,
    'its environment': `open('/proc/self/environ').read()`,
    'the environment of its parent': `import os\nopen(f'/proc/{os.getppid()}/environ').read()`,
    'its memory': `open('/proc/self/mem', 'rb').read(1)`,
    'its memory map': `open('/proc/self/maps').read()`,
    'mounted file systems': `open('/proc/mounts').read()`,
    'the root folder': `import os\nos.listdir('/')`,
    'the folder of temporary files': `import os\nos.listdir('/tmp')`,
    'open descriptors': `import os\nos.listdir('/proc/self/fd')`,
    'a new file': `open('file', 'w')`,
    'a new file of its own': `open('/tmp/file', 'w')`,
    'a file that is removed': `import os\nos.unlink('/tmp')`,
    'a folder': `import os\nos.mkdir('folder')`,
    'a link': `import os\nos.symlink('/etc/passwd', 'link')`,
    'a link to a file': `import os\nos.link('/etc/passwd', 'link')`,
    'other rights': `import os\nos.chmod('.', 0o777)`,
    'another working folder': `import os\nos.chdir('/')`,
    'another root': `import os\nos.chroot('.')`,
    'a pipe': `import os\nos.mkfifo('pipe')`,
    'a file in memory': `import os\nos.memfd_create('x')`,
    'a descriptor by its path': `import os\nos.open('/proc/self/fd/3', os.O_RDWR)`,
    'a device': `open('/dev/null', 'rb')`,
  }),
  ...fails({ 'temporary files': `import tempfile\ntempfile.TemporaryFile()` }),
  {
    name: 'standard input',
    source: `import sys\nresult = sys.stdin.read()`,
    call: { returnType: 'string' },
    expected: { value: '' },
  },
  {
    name: 'environment variables',
    source: `import os\nresult = str(dict(os.environ)) + str(os.getenv('PATH'))`,
    call: { returnType: 'string' },
    expected: { value: '{}None' },
  },
  {
    name: 'descriptors of others',
    source: `
import fcntl
def is_open(n):
    try: fcntl.fcntl(n, fcntl.F_GETFD)
    except OSError: return False
    return True
result = str([n for n in range(1024) if is_open(n)])`,
    call: { returnType: 'string' },
    expected: { value: '[0, 1, 2, 3]' },
  },
];

const NETWORK: Attack[] = refused({
  TCP: `import socket\nsocket.create_connection(('127.0.0.1', 80))`,
  UDP: `import socket\nsocket.socket(socket.AF_INET, socket.SOCK_DGRAM)`,
  IPv6: `import socket\nsocket.socket(socket.AF_INET6)`,
  'raw packets': `import socket\nsocket.socket(socket.AF_PACKET, socket.SOCK_RAW)`,
  'Unix sockets': `import socket\nsocket.socket(socket.AF_UNIX).connect('/var/run/docker.sock')`,
  netlink: `import socket\nsocket.socket(socket.AF_NETLINK, socket.SOCK_RAW)`,
  'socket pairs': `import socket\nsocket.socketpair()`,
  HTTP: `import urllib.request\nurllib.request.urlopen('http://169.254.169.254/latest/meta-data')`,
  'a connection of asyncio': `import asyncio\nasync def f(event):\n    await asyncio.open_connection('127.0.0.1', 80)`,
});

const NATIVE: Attack[] = [
  ...refused({
    'executable memory': 'import mmap\nmmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)',
    'memory that becomes executable': native('libc.mprotect(ctypes.c_void_p(id(libc) & ~4095), 4096, 7)'),
    'a system call by number': native(
      'libc.syscall(57 if os.uname().machine == "x86_64" else 220, 17, 0, 0, 0, 0)',
    ),
    ptrace: native('libc.ptrace(16, os.getppid(), 0, 0)'),
    'memory of the parent': native('libc.process_vm_readv(os.getppid(), 0, 0, 0, 0, 0)'),
    'a namespace': native('libc.unshare(0x10000000)'),
    'a mount': native('libc.mount(b"none", b"/", b"tmpfs", 0, None)'),
    'a second filter': native('libc.prctl(22, 1, 0, 0, 0)'),
    'another user': native('libc.setuid(0)'),
    'a signal through a descriptor': native('libc.fcntl(3, 8, os.getppid())'),
    'shared memory': native('libc.shmget(1, 4096, 0o1666)'),
    'a key ring': native('libc.syscall(250 if os.uname().machine == "x86_64" else 219, 0, 0, 0, 0)'),
  }),
  ...fails({ 'a null pointer': 'import ctypes\nctypes.string_at(0)' }, NO_RESULT),
  ...fails({ 'a 32-bit system call': native('libc.syscall(0x40000000 | 39)') }, NO_RESULT),
  ...fails({ abort: 'import os\nos.abort()' }, NO_RESULT),
  ...fails({ 'a callback from C': 'import ctypes\nctypes.CFUNCTYPE(None)(print)()' }),
];

const HARNESS: Attack[] = [
  ...fails({ exit: 'import sys\nsys.exit(0)' }, /SystemExit/),
  ...fails({ 'an immediate exit': 'import os\nos._exit(0)' }, /exit code 0/),
  ...fails({ 'a closed result': 'import os\nos.close(3)\nwhile True: pass' }, NO_RESULT),
  ...fails({ 'an interrupt': 'raise KeyboardInterrupt' }, /KeyboardInterrupt/),
  ...fails({ 'a generator exit': 'raise GeneratorExit' }, /GeneratorExit/),
  ...fails({
    'an exception without a text': `class E(Exception):\n    def __str__(self): raise self\nraise E()`,
  }),
  ...fails(
    {
      'an exception with a forged class': `
class Meta(type):
    @property
    def __name__(self): raise ValueError
class E(Exception, metaclass=Meta): pass
raise E('text')`,
    },
    /E: text/,
  ),
  ...fails(
    { 'a forged result': `import os, struct\nos.write(3, struct.pack('<I', 2) + b'{}')\nos._exit(0)` },
    /not of type float/,
  ),
  ...fails(
    {
      'a forged malformed result': `import os, struct\nos.write(3, struct.pack('<I', 2) + b'{{')\nos._exit(0)`,
    },
    /malformed/,
  ),
  ...fails({
    'a forged length': `import os, struct\nos.write(3, struct.pack('<I', 4_000_000_000) + b'{}')\nos._exit(0)`,
  }),
  ...fails(
    {
      'a forged failure of the runner': `
import os, struct
text = b'{"ok":false,"error":{"code":"unavailable","message":"retry"}}'
os.write(3, struct.pack('<I', len(text)) + text)
os._exit(0)`,
    },
    /not of type float/,
  ),
  ...fails(
    {
      'a forged value of another type': `
import os, struct
text = b'{"ok":true,"value":"high"}'
os.write(3, struct.pack('<I', len(text)) + text)
os._exit(0)`,
    },
    /not of type float/,
  ),
  ...fails({
    'a changed encoder': `import json\njson.dumps = lambda *a, **k: 'forged'\nresult = 1`,
  }),
  {
    name: 'a changed encoder and caster of its own score',
    source: `
import sys
harness = sys.modules['assay_sandbox.metric']
harness.cast_value = lambda *a: float('inf')
result = 1`,
    expected: 'execution_error',
  },
  {
    name: 'frames of its callers',
    source: `
import sys
frame = sys._getframe().f_back
while frame:
    frame.f_locals.clear()
    frame = frame.f_back
result = 1`,
    expected: { value: 1 },
  },
  {
    name: 'collected objects',
    source: `
import gc
for each in gc.get_objects():
    if isinstance(each, dict) and 'memory_bytes' in each: each.clear()
result = 1`,
    expected: { value: 1 },
  },
  ...fails({
    'changed classes': 'import builtins\nbuiltins.str = builtins.float = builtins.type = None\nresult = 1',
  }),
  {
    name: 'changed builtins',
    source: 'import builtins\nbuiltins.len = lambda value: 99\nresult = 1',
    expected: { value: 1 },
  },
  { name: 'changed modules', source: 'import sys\nsys.modules.clear()\nresult = 1', expected: { value: 1 } },
  {
    name: 'a trace function',
    source: 'import sys\nsys.settrace(lambda *a: None)\nsys.setprofile(lambda *a: None)\nresult = 1',
    expected: { value: 1 },
  },
  {
    name: 'functions that run at exit',
    source: 'import atexit\natexit.register(lambda: print("exit") or 1 / 0)\nresult = 1',
    expected: { value: 1 },
  },
];

const hostile = (body: string): string => `class Hostile${body}\nresult = Hostile()`;

const RESULTS: Attack[] = [
  ...fails(
    {
      'not a number': `result = float('nan')`,
      infinity: `result = float('inf')`,
      'the text of infinity': `result = '-Infinity'`,
      'a decimal that is not a number': `from decimal import Decimal\nresult = Decimal('NaN')`,
    },
    /finite/,
  ),
  ...fails({ 'a number beyond floats': 'result = 10**400' }, /cannot be cast/),
  ...fails({ 'no value': 'result = None' }, /None/),
  ...fails({ 'no value in a dict': `result = {'score': None}` }, /None/),
  ...fails({ 'a recursive dict': 'result = {}\nresult["score"] = result' }, /type dict/),
  ...fails({ 'a complex number': 'result = 1j' }, /type complex/),
  ...fails({ 'a function': 'result = print' }, /cannot be cast/),
  ...fails({
    'a __float__ that raises': hostile('(float):\n    def __float__(self): raise ValueError("x")'),
  }),
  ...fails({ 'a __float__ of another type': hostile('(int):\n    def __float__(self): return "1"') }),
  ...fails({ 'an __index__ that raises': hostile(':\n    def __index__(self): raise SystemExit') }),
  ...fails({ 'a forged class': hostile(':\n    __class__ = float') }),
  {
    name: 'a text that pretends to be another',
    source: `class Text(str):\n    def __str__(self): return 'b'\n    def __eq__(self, other): return True\n    def __hash__(self): return hash('b')\nresult = Text('a')`,
    call: { returnType: 'categorical', categories: ['b'] },
    expected: 'execution_error',
    message: /categories/,
  },
  {
    name: 'a __str__ that raises',
    source: hostile(':\n    def __str__(self): raise KeyboardInterrupt'),
    call: { returnType: 'string' },
    expected: 'execution_error',
  },
  {
    name: 'a __str__ of another type',
    source: hostile(':\n    def __str__(self): return 1'),
    call: { returnType: 'string' },
    expected: 'execution_error',
  },
  {
    name: 'a number with too many digits',
    source: 'result = 10**10_000',
    call: { returnType: 'string', timeoutMs: 2_000 },
    expected: 'execution_error',
  },
  {
    name: 'unpaired surrogates',
    source: `result = 'a\\ud800b\\x00'`,
    call: { returnType: 'string' },
    expected: { value: 'a\ufffdb\ufffd' },
  },
  {
    name: 'a nested list that is deeper than the recursion limit',
    source: 'result = []\nfor _ in range(100_000): result = [result]',
    call: { returnType: 'string', timeoutMs: 2_000 },
    expected: 'execution_error',
    message: /RecursionError|MemoryError/,
  },
];

export const ATTACKS: Readonly<Record<string, readonly Attack[]>> = {
  'source that does not compile': NOT_COMPILING,
  time: TIME,
  memory: MEMORY,
  'processes and threads': PROCESSES,
  output: OUTPUT,
  files: FILES,
  network: NETWORK,
  'native code and system calls': NATIVE,
  'the harness': HARNESS,
  'results that misbehave when they are converted': RESULTS,
};
