import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWhere, silentLogger } from '@assay/testing';
import { PYTHON } from '../test/environments.js';
import type {
  PythonCall,
  PythonOutcome,
  PythonReturnType,
  PythonRunner,
  PythonValue,
} from './python-runner.js';
import { startPythonRunner } from './start-python-runner.js';

interface Reference {
  readonly categories: readonly string[];
  readonly cases: readonly {
    readonly expression: string;
    /** `null` when the value cannot be cast. */
    readonly outcomes: Readonly<
      Record<PythonReturnType, { value: PythonValue; explanation?: string } | null>
    >;
  }[];
}

const reference = JSON.parse(readFileSync(join(__dirname, '../test/casts.json'), 'utf8')) as Reference;

const EVENT = {
  event_type: 'model',
  event_name: 'chat',
  event_id: 'event',
  session_id: 'session',
  project_id: 'project',
  source: 'test',
  start_time: 1_700_000_000_000,
  end_time: 1_700_000_001_000,
  duration: 1000,
  error: null,
  inputs: { question: 'why' },
  outputs: { content: 'because' },
  feedback: { ground_truth: 'truth', rating: 4 },
  metrics: { other: 0.5 },
  user_properties: null,
};

/** Source, and what the metric returns as text. */
type Case = readonly [title: string, source: string, value: string];

const NAMES: readonly Case[] = [
  [
    'objects',
    'result = [inputs["question"], outputs["content"], feedback["rating"], metrics["other"]]',
    "['why', 'because', 4, 0.5]",
  ],
  ['absent objects as empty dicts', 'result = [metadata, config, user_properties]', '[{}, {}, {}]'],
  [
    'scalars',
    'result = [event_type, event_name, event_id, session_id, project_id, source]',
    "['model', 'chat', 'event', 'session', 'project', 'test']",
  ],
  [
    'times in milliseconds',
    'result = [start_time, end_time, duration]',
    '[1700000000000, 1700000001000, 1000]',
  ],
  ['an absent error as None', 'result = [error]', '[None]'],
  ['the whole event', 'result = event["outputs"]["content"]', 'because'],
  ['a module that is not the main one', 'result = __name__ != "__main__"', 'True'],
  [
    'nothing of the harness',
    'result = [name for name in ("evaluate", "job", "code", "sys", "json") if name in globals()]',
    '[]',
  ],
];

const FUNCTIONS: readonly Case[] = [
  ['`result` before functions', 'def evaluate(): return 1\nresult = 2', '2'],
  ['`result` assigned by a function that ran', 'def f():\n    global result\n    result = 3\nf()', '3'],
  ['a function named `result`', 'def result(): return 4', '4'],
  ['an annotation is no assignment', 'result: float\ndef f(): return 5', '5'],
  ['the only function', 'def f(): return 1', '1'],
  ['the last function', 'def f(): return 1\ndef g(): return f() + 1', '2'],
  [
    'the function named like the metric',
    'def quality(): return 1\ndef evaluate(): return 2\ndef z(): return 3',
    '1',
  ],
  ['`evaluate`', 'def main(): return 1\ndef evaluate(): return 2\ndef z(): return 3', '2'],
  ['`evaluator`', 'def main(): return 1\ndef evaluator(): return 2\ndef z(): return 3', '2'],
  ['`main`', 'def check(): return 1\ndef main(): return 2\ndef z(): return 3', '2'],
  ['`check`', 'def check(): return 1\ndef z(): return 3', '1'],
  ['no imported function', 'from math import floor\ndef f(): return 1\nfrom statistics import mean', '1'],
  ['no class', 'def f(): return 1\nclass Z:\n    def __init__(self): pass', '1'],
  ['no lambda', 'def f(): return 1\ng = lambda: 2', '1'],
  ['no nested function', 'def f():\n    def g(): return 2\n    return 1', '1'],
  ['no method', 'def f(): return 1\nclass C:\n    def z(self): return 2', '1'],
  ['a function that was deleted', 'def f(): return 1\ndef g(): return 2\ndel g', '1'],
  ['a function in a condition', 'if True:\n    def f(): return 1\nelse:\n    def g(): return 2', '1'],
  ['a decorated function', 'import functools\n@functools.lru_cache\ndef f(): return 1', '1'],
  [
    'a wrapped function',
    'import functools\ndef twice(g):\n    @functools.wraps(g)\n    def inner(*a, **k): return 2 * g(*a, **k)\n    return inner\n@twice\ndef f(duration): return duration',
    '2000',
  ],
  ['a coroutine', 'import asyncio\nasync def f(event):\n    await asyncio.sleep(0)\n    return 1', '1'],
  [
    'coroutines that run together',
    'import asyncio\nasync def g(n):\n    await asyncio.sleep(n / 1000)\n    return n\nasync def f(event):\n    return sum(await asyncio.gather(g(2), g(1)))',
    '3',
  ],
  ['asyncio.run', 'import asyncio\nasync def g(): return 1\ndef f(): return asyncio.run(g())', '1'],
  [
    'recursion and comprehensions',
    'k = 2\ndef g(n): return 1 if n < 2 else n * g(n - 1)\ndef f(): return sum(g(n) * k for n in range(4))',
    '20',
  ],
  [
    'dataclasses',
    'from __future__ import annotations\nfrom dataclasses import dataclass\n@dataclass\nclass P:\n    x: int = 1\ndef f(): return P().x',
    '1',
  ],
  [
    'enums, named tuples and pickles',
    'import enum, pickle, typing\nclass E(enum.Enum):\n    A = 1\nclass T(typing.NamedTuple):\n    e: E\nresult = pickle.loads(pickle.dumps(T(E.A))).e.value',
    '1',
  ],
];

const PARAMETERS: readonly Case[] = [
  [
    'known names',
    'def f(outputs, inputs): return [outputs["content"], inputs["question"]]',
    "['because', 'why']",
  ],
  ['one unknown name gets the event', 'def f(anything): return anything["event_id"]', 'event'],
  ['one unknown name beside known ones', 'def f(outputs, x): return x["event_id"]', 'event'],
  ['several unknown names get None', 'def f(a, b): return [a, b]', '[None, None]'],
  [
    '`generation` and `output`',
    'def f(generation, output): return generation is output and output["content"]',
    'because',
  ],
  [
    '`ground_truth` and `ground_truths`',
    'def f(ground_truth, ground_truths): return [ground_truth, ground_truths]',
    "['truth', 'truth']",
  ],
  ['a known name with a default', 'def f(outputs=None): return outputs["content"]', 'because'],
  ['an unknown name with a default', 'def f(x, k=2): return [x["event_id"], k]', "['event', 2]"],
  ['only unknown names with defaults', 'def f(a=1, b=2): return a + b', '3'],
  [
    'keyword-only names',
    'def f(*, outputs, x): return [outputs["content"], x["event_id"]]',
    "['because', 'event']",
  ],
  [
    'positional-only names',
    'def f(x, /, outputs): return [x["event_id"], outputs["content"]]',
    "['event', 'because']",
  ],
  ['`*args` and `**kwargs` get nothing', 'def f(*args, **kwargs): return [args, kwargs]', '[(), {}]'],
  [
    '`*args` beside an unknown name',
    'def f(x, *args, **kwargs): return [x["event_id"], args, kwargs]',
    "['event', (), {}]",
  ],
];

describeWhere({ describe, it }, 'the rules of PYTHON metrics', PYTHON, () => {
  let runner: PythonRunner;

  beforeAll(async () => {
    runner = await startPythonRunner({ workers: 1, log: silentLogger });
  });
  afterAll(() => runner?.close());

  const evaluate = (call: Partial<PythonCall>): Promise<PythonOutcome> =>
    runner.evaluate({
      projectId: 'project',
      source: '',
      metricName: 'quality',
      returnType: 'string',
      event: EVENT,
      timeoutMs: 5_000,
      ...call,
    });

  /** Evaluates sources that must return texts; compares all of them, so that a failure shows every case. */
  async function check(cases: readonly Case[]): Promise<void> {
    const outcomes: Case[] = [];
    for (const [title, source] of cases) {
      const outcome = await evaluate({ source });
      outcomes.push([title, source, outcome.ok ? String(outcome.value) : outcome.error.message]);
    }
    expect(outcomes).toEqual(cases);
  }

  it('make the fields of the event visible', () => check(NAMES));
  it('choose `result` or a function', () => check(FUNCTIONS));
  it('bind parameters by name', () => check(PARAMETERS));

  it('cast every value as the reference does', async () => {
    const differences: unknown[] = [];
    for (const { expression, outcomes } of reference.cases)
      for (const [returnType, expected] of Object.entries(outcomes)) {
        const source = `from decimal import Decimal\nfrom fractions import Fraction\nresult = ${expression}`;
        const { categories } = reference;
        const outcome = await evaluate({ source, returnType: returnType as PythonReturnType, categories });
        const { value, explanation } = outcome.ok ? outcome : { value: undefined, explanation: undefined };
        const isRight = outcome.ok
          ? expected !== null && Object.is(value, expected.value) && explanation === expected.explanation
          : expected === null && outcome.error.code === 'execution_error';
        if (!isRight) differences.push({ expression, returnType, expected, outcome });
      }
    expect(differences).toEqual([]);
  });

  it('evaluate the example of the documentation', async () => {
    const page = readFileSync(join(__dirname, '../../../docs/python-metrics.md'), 'utf8');
    const source = /```python\n([^]*?)```/.exec(page)?.[1] ?? '';
    const event = {
      outputs: { content: 'Paris, in France' },
      feedback: { ground_truth: 'Paris France Europe Earth' },
    };
    expect(await evaluate({ source, event, returnType: 'float' })).toMatchObject({
      value: 0.5,
      explanation: '2 of 4 words',
    });
  });

  it('accept any label without categories', async () => {
    for (const categories of [undefined, []])
      expect(await evaluate({ source: 'result = 7', returnType: 'categorical', categories })).toMatchObject({
        value: '7',
      });
  });

  it('reject a source without `result` and function', async () => {
    for (const source of [
      '',
      'x = 1',
      'import math',
      'class C: pass',
      'from math import floor',
      'f = lambda: 1',
    ])
      expect(await evaluate({ source })).toMatchObject({ ok: false, error: { code: 'unprocessable' } });
  });

  it('name the line of an error', async () => {
    const sources = [
      'x = (',
      'x = 1\nx.y',
      'def f():\n    import json\n    json.loads("{")',
      'def f(): return None',
    ];
    const lines: unknown[] = [];
    for (const source of sources) {
      const outcome = await evaluate({ source });
      lines.push(outcome.ok ? 'ok' : outcome.error.line);
    }
    expect(lines).toEqual([1, 2, 3, undefined]);
  });

  it('return what the metric printed, also when it fails', async () => {
    expect(await evaluate({ source: 'print("é")\nresult = 1' })).toMatchObject({ ok: true, stdout: 'é\n' });
    expect(await evaluate({ source: 'print("a")\n1 / 0' })).toMatchObject({ ok: false, stdout: 'a\n' });
    const slow = { source: 'print("b")\nwhile True: pass', timeoutMs: 50 };
    expect(await evaluate(slow)).toMatchObject({ error: { message: 'stopped after 50 ms' }, stdout: 'b\n' });
    const long = await evaluate({ source: 'print("x" * 100_000)\nresult = 1' });
    expect(long.stdout).toHaveLength(65_536);
  });

  it('evaluate every call in a fresh interpreter', async () => {
    const change =
      'import builtins, json, math\nbuiltins.len = lambda x: 99\njson.dumps = None\nmath.pi = 3\nresult = 1';
    expect(await evaluate({ source: change })).toMatchObject({ ok: false });
    const use = 'import json, math\nresult = [len("abc"), json.dumps(1), math.floor(math.pi * 100)]';
    expect(await evaluate({ source: use })).toMatchObject({ value: "[3, '1', 314]" });
    const random = 'import random, uuid\nresult = [random.random(), uuid.uuid4()]';
    const [first, second] = [await evaluate({ source: random }), await evaluate({ source: random })];
    expect(first.ok && first.value).not.toBe(second.ok && second.value);
  });

  it('evaluate large events, and refuse those that are too large', async () => {
    const event = {
      outputs: { content: 'é'.repeat(2_000_000), items: Array.from({ length: 50_000 }, (_, n) => n) },
    };
    const source = 'result = len(outputs["content"]) + len(outputs["items"])';
    expect(await evaluate({ source, event })).toMatchObject({ value: '2050000' });
    const beyond = { outputs: { content: 'x'.repeat(21 << 20) } };
    expect(await evaluate({ source, event: beyond })).toMatchObject({ error: { code: 'unprocessable' } });
  });
});
