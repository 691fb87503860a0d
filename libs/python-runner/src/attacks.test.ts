import { performance } from 'node:perf_hooks';
import { describeWhere, silentLogger } from '@assay/testing';
import { ATTACKS, type Attack } from '../test/attacks.js';
import { ENVIRONMENTS, type Environment } from '../test/environments.js';
import type { PythonCall, PythonOutcome, PythonRunner } from './python-runner.js';
import { startPythonRunner } from './start-python-runner.js';

const TIMEOUT_MS = 60;
const MAX_OVERRUN_MS = 150;
/** A machine that runs other tests may delay some attempts. An attack that is not contained is late in all of them. */
const ATTEMPTS = 10;
/** Of evaluations that have to be right, however long they take. */
const PATIENT_MS = 10_000;

const CONTROL = { source: 'def f(inputs):\n    return len(inputs["text"]) / 2', expected: 1.5 };
const LOOP = 'while True: pass';

const callOf = (call: Partial<PythonCall> & { source: string }): PythonCall => ({
  projectId: 'project',
  metricName: 'metric',
  returnType: 'float',
  event: { inputs: { text: 'abc' } },
  timeoutMs: TIMEOUT_MS,
  ...call,
});

for (const environment of ENVIRONMENTS)
  describeWhere({ describe, it }, `metrics that attack, evaluated as ${environment.name}`, environment, () =>
    attackTests(environment),
  );

function attackTests({ command }: Environment): void {
  let runner: PythonRunner;
  /** Runs no attack, so that none can delay it. */
  let reference: PythonRunner;

  beforeAll(async () => {
    runner = await startPythonRunner({ command, workers: 1, log: silentLogger });
    reference = await startPythonRunner({ command, workers: 1, log: silentLogger });
  });
  afterAll(() => Promise.all([runner.close(), reference.close()]));

  it('passes the self-test', () => {
    expect(runner.state).toMatchObject({ available: true });
  });

  it.each(Object.keys(ATTACKS))('contains every attack of the class: %s', async (kind) => {
    const failures: unknown[] = [];
    for (const attack of ATTACKS[kind] ?? []) {
      const problem = await attackOnce({ runner, reference }, attack);
      if (problem !== undefined) failures.push(problem);
    }
    expect(failures).toEqual([]);
  });

  it('gives a metric no data of other calls', async () => {
    const secret = `canary-${'x'.repeat(40)}`;
    const event = { inputs: { text: secret } };
    const printing = callOf({
      source: `print(inputs['text'])\nresult = inputs['text']`,
      returnType: 'string',
      event,
      timeoutMs: PATIENT_MS,
    });
    for (let round = 0; round < 20; round++)
      expect(await runner.evaluate(printing)).toMatchObject({ value: secret });
    const search = { source: SEARCH, timeoutMs: PATIENT_MS };
    expect(await runner.evaluate(callOf({ ...search, event }))).toMatchObject({ ok: true, value: 1 });
    expect(await runner.evaluate(callOf(search))).toMatchObject({ ok: true, value: 0 });
  });
}

interface Runners {
  readonly runner: PythonRunner;
  readonly reference: PythonRunner;
}

interface Timed {
  readonly outcome: PythonOutcome;
  /** Between the call and its outcome, measured outside the processes that an attack could influence. */
  readonly wallMs: number;
}

async function evaluateTimed(runner: PythonRunner, call: PythonCall): Promise<Timed> {
  const start = performance.now();
  const outcome = await runner.evaluate(call);
  return { outcome, wallMs: performance.now() - start };
}

/** Returns what was wrong with the response to an attack or to the next evaluation. */
async function attackOnce({ runner, reference }: Runners, attack: Attack): Promise<unknown> {
  const call = callOf({ source: attack.source, ...attack.call });
  for (let attempt = 1; ; attempt++) {
    const timed = await evaluateTimed(runner, call);
    const control = await runner.evaluate(callOf({ source: CONTROL.source, timeoutMs: PATIENT_MS }));
    const isControlRight = control.ok && control.value === CONTROL.expected;
    const isContained = await endsInTime(reference, call, timed);
    if (isExpected(timed.outcome, attack) && isContained && isControlRight) return undefined;
    // Where Python is slow, the limit can end an attack before it fails.
    const isSlow = isControlRight && (!isContained || isTimeout(timed.outcome) || isBusy(timed.outcome));
    if (!isSlow || attempt === ATTEMPTS) return { attack: attack.name, ...timed, control };
  }
}

/**
 * Whether the evaluation ended within its limit and the accepted overrun. On a busy machine every evaluation can end
 * later: then a plain loop with the same limit, evaluated right afterwards in another process, determines what is in time. That loop
 * itself has to end within `PATIENT_MS`; attacks would last a minute or forever.
 */
async function endsInTime(reference: PythonRunner, call: PythonCall, { wallMs }: Timed): Promise<boolean> {
  if (wallMs <= call.timeoutMs + MAX_OVERRUN_MS) return true;
  const loop = await evaluateTimed(reference, callOf({ source: LOOP, timeoutMs: call.timeoutMs }));
  const allowedMs = Math.min(loop.wallMs, call.timeoutMs + PATIENT_MS);
  return (isTimeout(loop.outcome) || isBusy(loop.outcome)) && wallMs <= allowedMs + MAX_OVERRUN_MS;
}

function isTimeout(outcome: PythonOutcome): boolean {
  return !outcome.ok && outcome.error.code === 'timeout';
}

function isBusy(outcome: PythonOutcome): boolean {
  return !outcome.ok && outcome.error.code === 'machine_busy';
}

function isExpected(outcome: PythonOutcome, { expected, message = /^/ }: Attack): boolean {
  if (typeof expected === 'object') return outcome.ok && outcome.value === expected.value;
  const codes = expected === 'failure' ? ['execution_error', 'timeout'] : [expected];
  return !outcome.ok && codes.includes(outcome.error.code) && message.test(outcome.error.message);
}

/**
 * Looks for the canary in all memory around the interpreter's objects, without containing it. A futex call states whether a page can be
 * read.
 */
const SEARCH = `
import ctypes, mmap, os
libc = ctypes.CDLL(None, use_errno=True)
libc.memmem.restype = ctypes.c_void_p
PAGE, AROUND, EFAULT = 4096, 64 << 20, 14
FUTEX = 202 if os.uname().machine == 'x86_64' else 98
no_time = (ctypes.c_long * 2)(0, 0)
needle = (ctypes.c_char * 8).from_buffer(mmap.mmap(-1, PAGE))
for index, code in enumerate((98, 96, 109, 96, 113, 120, 44)): needle[index] = code + 1
own = ctypes.addressof(needle)
def is_readable(address):
    libc.syscall(FUTEX, ctypes.c_void_p(address), 0, 0x5EC0DE5, no_time)
    return ctypes.get_errno() != EFAULT
found = 0
for middle in (id(object()), id(os.fork), id(type('C', (), {}))):
    for address in range((middle & -PAGE) - AROUND, (middle & -PAGE) + AROUND, PAGE):
        if address != own and is_readable(address) and libc.memmem(ctypes.c_void_p(address), PAGE, needle, 7):
            found = 1
result = found
`;
