import { silentLogger } from '@assay/testing';
import { ATTACKS, type Attack } from '../test/attacks.js';
import { ENVIRONMENTS, reportMissing } from '../test/environments.js';
import type { PythonCall, PythonOutcome, PythonRunner } from './python-runner.js';
import { startPythonRunner } from './start-python-runner.js';

const TIMEOUT_MS = 60;
const MAX_OVERRUN_MS = 150;
/** A machine that runs other tests may keep a process waiting. */
const ATTEMPTS = 3;

const CONTROL = { source: 'def f(inputs):\n    return len(inputs["text"]) / 2', expected: 1.5 };

const callOf = (call: Partial<PythonCall> & { source: string }): PythonCall => ({
  projectId: 'project',
  metricName: 'metric',
  returnType: 'float',
  event: { inputs: { text: 'abc' } },
  timeoutMs: TIMEOUT_MS,
  ...call,
});

describe.each(ENVIRONMENTS)('metrics that attack, evaluated as $name', ({ name, command, missing }) => {
  let runner: PythonRunner;

  beforeAll(async () => {
    if (missing !== undefined) reportMissing(name, missing);
    else runner = await startPythonRunner({ command, workers: 1, log: silentLogger });
  });
  afterAll(() => runner?.close());

  it('passes the self-test', () => {
    if (missing === undefined) expect(runner.state).toMatchObject({ available: true });
  });

  it.each(Object.keys(ATTACKS))('contains every attack of the class: %s', async (kind) => {
    if (missing !== undefined) return;
    const failures: unknown[] = [];
    for (const attack of ATTACKS[kind] ?? []) {
      const problem = await attackOnce(runner, attack);
      if (problem !== undefined) failures.push(problem);
    }
    expect(failures).toEqual([]);
  });

  it('gives a metric no data of other calls', async () => {
    if (missing !== undefined) return;
    const secret = `canary-${'x'.repeat(40)}`;
    const event = { inputs: { text: secret } };
    const printing = callOf({
      source: `print(inputs['text'])\nresult = inputs['text']`,
      returnType: 'string',
      event,
    });
    for (let round = 0; round < 20; round++)
      expect(await runner.evaluate(printing)).toMatchObject({ value: secret });
    const search = { source: SEARCH, timeoutMs: 10_000 };
    expect(await runner.evaluate(callOf({ ...search, event }))).toMatchObject({ ok: true, value: 1 });
    expect(await runner.evaluate(callOf(search))).toMatchObject({ ok: true, value: 0 });
  });
});

/** Returns what was wrong with the response to an attack or to the next evaluation. */
async function attackOnce(runner: PythonRunner, attack: Attack): Promise<unknown> {
  const call = callOf({ source: attack.source, ...attack.call });
  let outcome = await runner.evaluate(call);
  for (let attempt = 1; attempt < ATTEMPTS && isLate(outcome, call); attempt++)
    outcome = await runner.evaluate(call);
  const control = await runner.evaluate(callOf(CONTROL));
  const isRight = isExpected(outcome, attack) && !isLate(outcome, call);
  if (isRight && control.ok && control.value === CONTROL.expected) return undefined;
  return { attack: attack.name, outcome, control };
}

function isLate({ durationMs }: PythonOutcome, { timeoutMs }: PythonCall): boolean {
  return durationMs > timeoutMs + MAX_OVERRUN_MS;
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
