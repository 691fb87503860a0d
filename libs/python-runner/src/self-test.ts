import { MachineBusy } from './machine-busy.js';
import type { PythonCall, PythonErrorCode, PythonOutcome } from './python-runner.js';

/** A metric that tries to leave the sandbox. */
interface Probe {
  readonly protection: string;
  readonly source: string;
  readonly isContained: (outcome: PythonOutcome) => boolean;
}

const TIMEOUT_MS = 2_000;
const LOOP_TIMEOUT_MS = 50;
/** Attempts of a probe that a busy machine does not let run. */
const MAX_ATTEMPTS = 3;
const EXCESS_BYTES = 16 << 20;

/** A probe whose attempt must raise one of these errors. */
function mustRaise(protection: string, errors: string, attempt: string): Probe {
  const source = `
import ctypes, fcntl, os, mmap, socket, threading
def main():
    try:
        ${attempt.trim().split('\n').join('\n        ')}
    except (${errors}):
        return True
    return False
`;
  return { protection, source, isContained: (outcome) => outcome.ok && outcome.value === true };
}

/** A little more than a call may use: it is not written to, so a machine without the limit has it. */
const memoryProbe = (memoryBytes: number): Probe =>
  mustRaise('memory is limited', 'MemoryError', `bytearray(${memoryBytes + EXCESS_BYTES})`);

const PROBES: readonly Probe[] = [
  mustRaise('files cannot be read', 'PermissionError', `open('/proc/self/status').read()`),
  mustRaise('files cannot be written', 'PermissionError', `open('probe', 'w')`),
  mustRaise('folders cannot be listed', 'PermissionError', `os.listdir('/')`),
  mustRaise('no network', 'PermissionError', `socket.socket(socket.AF_INET, socket.SOCK_STREAM)`),
  mustRaise('no local sockets', 'PermissionError', `socket.socketpair()`),
  mustRaise('no processes', 'PermissionError', `os.fork()`),
  mustRaise('no programs', 'PermissionError', `os.execv('/proc/self/exe', ['x'])`),
  mustRaise('no threads', 'RuntimeError', `threading.Thread(target=print).start()`),
  mustRaise('no signals', 'PermissionError', `os.kill(os.getppid(), 0)`),
  mustRaise('no native code', 'PermissionError', `mmap.mmap(-1, 4096, prot=mmap.PROT_EXEC | mmap.PROT_READ)`),
  mustRaise(
    'no other system calls',
    'PermissionError',
    `
libc = ctypes.CDLL(None, use_errno=True)
if libc.ptrace(0, 0, 0, 0) != 0: raise OSError(ctypes.get_errno(), '')`,
  ),
  mustRaise(
    'nothing is inherited',
    'LookupError',
    `
for descriptor in range(4, 256):
    try: fcntl.fcntl(descriptor, fcntl.F_GETFD)
    except OSError: continue
    return False
dict(os.environ).popitem()`,
  ),
  {
    protection: 'time is limited',
    source: 'while True:\n    try: x = 1\n    except BaseException: pass',
    isContained: (outcome) => isFailure(outcome, 'timeout'),
  },
];

/** Runs a metric in the sandbox that is tested. */
export type Evaluate = (call: Omit<PythonCall, 'projectId'>) => Promise<PythonOutcome>;

/**
 * Returns the protections that do not hold; none when metrics can be evaluated safely.
 * @throws when metrics cannot be evaluated at all
 */
export async function missingProtections(evaluate: Evaluate, memoryBytes: number): Promise<string[]> {
  const missing: string[] = [];
  for (const probe of [...PROBES, memoryProbe(memoryBytes)]) {
    const outcome = await outcomeOf(probe, evaluate);
    if (isFailure(outcome, 'unavailable'))
      throw new Error('a process cannot enter the sandbox: no seccomp, or a limit on processes or memory');
    if (!probe.isContained(outcome)) missing.push(probe.protection);
  }
  return missing;
}

/** @throws MachineBusy when the machine is too busy to run the probe */
async function outcomeOf({ protection, source }: Probe, evaluate: Evaluate): Promise<PythonOutcome> {
  const timeoutMs = protection.startsWith('time') ? LOOP_TIMEOUT_MS : TIMEOUT_MS;
  const call = { source, metricName: '', returnType: 'boolean', event: {}, timeoutMs } as const;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const outcome = await evaluate(call);
    if (!isFailure(outcome, 'machine_busy')) return outcome;
  }
  throw new MachineBusy('the machine is too busy to test the sandbox');
}

function isFailure(outcome: PythonOutcome, code: PythonErrorCode): boolean {
  return !outcome.ok && outcome.error.code === code;
}
