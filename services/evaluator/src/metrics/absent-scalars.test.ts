import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatCompletion } from '@assay/judges/test/fake-provider';
import { startPythonRunner, type PythonRunner } from '@assay/python-runner';
import { PYTHON } from '@assay/python-runner/test/environments';
import { describeWhere, silentLogger } from '@assay/testing';
import { startFakeModel } from '../../test/judge-fixture.js';
import { makeRunMetric } from './run-metric.js';

const SCALARS = [
  ...['event_id', 'session_id', 'parent_id', 'event_type', 'event_name'],
  ...['source', 'error', 'start_time', 'end_time', 'duration'],
] as const;
const OBJECTS = [
  'inputs',
  'outputs',
  'feedback',
  'metadata',
  'metrics',
  'config',
  'user_properties',
] as const;
const ID = '11111111-1111-4111-8111-111111111111';
const NONE = Object.fromEntries(SCALARS.map((name) => [name, 'None']));

/** Events of requests, and what `str()` and a template print for the scalars that are not None. */
const EVENTS: [string, object, Readonly<Record<string, string>>][] = [
  ['no field', {}, {}],
  ['only null', Object.fromEntries([...SCALARS, ...OBJECTS].map((name) => [name, null])), {}],
  ['texts', { source: 'app', error: 'boom' }, { source: 'app', error: 'boom' }],
  ['empty texts', { source: '', error: '' }, { source: '', error: '' }],
  ['the number zero', { duration: 0 }, { duration: '0' }],
  ['a start alone', { start_time: 5 }, { start_time: '5' }],
  ['both times', { start_time: 5, end_time: 8 }, { start_time: '5', end_time: '8', duration: '3' }],
  [
    'names and ids',
    { event_id: ID, session_id: ID, parent_id: ID, event_type: 'tool', event_name: 'search' },
    { event_id: ID, session_id: ID, parent_id: ID, event_type: 'tool', event_name: 'search' },
  ],
];

/** Returns the text that a metric of the request sees of the fields of its event. */
async function seenBy(python: PythonRunner, metric: object, event: object): Promise<string> {
  const model = await startFakeModel([{ body: chatCompletion('[[5]]') }]);
  const run = makeRunMetric({ ...model.deps, python, pythonTimeoutMs: 10_000, now: () => 1_790_000_000_000 });
  const context = { caller: { projectId: 'p' }, signal: new AbortController().signal };
  try {
    const request = { body: { metric: { name: 'm', ...metric }, event } } as Parameters<typeof run>[0];
    const response = await run(request, context as Parameters<typeof run>[1]);
    const sent = model.provider.requests[0]?.body['messages'] as readonly { content: string }[] | undefined;
    return sent ? String(sent.at(-1)?.content) : (response as { result: string }).result;
  } finally {
    await model.close();
  }
}

describeWhere({ describe, it }, 'the event that metrics/run evaluates', PYTHON, () => {
  let python: PythonRunner;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-scalars-test-'));
    python = await startPythonRunner({ workers: 1, temporaryFolder: folder, log: silentLogger });
  });
  afterAll(async () => {
    await python.close();
    await rm(folder, { recursive: true, force: true });
  });

  const names = [...SCALARS, ...OBJECTS];
  const expectedOf = (known: Readonly<Record<string, string>>) => ({
    ...NONE,
    ...known,
    ...Object.fromEntries(OBJECTS.map((name) => [name, '{}'])),
  });
  const parse = (text: string) =>
    Object.fromEntries(text.split('\n').map((line) => line.split('=', 2) as [string, string]));

  it.each(EVENTS)(
    'has None for absent scalars and {} for absent objects in a template: %s',
    async (...row) => {
      const [, event, known] = row;
      const fields = names.map((name) => `${name}={{ ${name} }}`);
      const llm = { type: 'LLM', model_provider: 'openai', model_name: 'gpt-4o', add_instructions: false };
      const direct = await seenBy(python, { ...llm, criteria: fields.join('\n') }, event);
      expect(parse(direct)).toEqual(expectedOf(known));
      const byEvent = names.map((name) => `${name}={{ event.${name} }}`);
      expect(await seenBy(python, { ...llm, criteria: byEvent.join('\n') }, event)).toBe(direct);
    },
  );

  it('has absent scalars that are none, false and equal to none in a template', async () => {
    const tests = SCALARS.map(
      (name) => `${name}={{ ${name} is none and ${name} is defined and not ${name} and ${name} == none }}`,
    );
    const llm = { type: 'LLM', model_provider: 'openai', model_name: 'gpt-4o', criteria: tests.join('\n') };
    const seen = await seenBy(python, { ...llm, add_instructions: false }, {});
    expect(parse(seen)).toEqual(Object.fromEntries(SCALARS.map((name) => [name, 'True'])));
  });

  it.each(EVENTS)('has None for absent scalars and {} for absent objects in Python: %s', async (...row) => {
    const [, event, known] = row;
    // Python has no name of its own for the parent of an event.
    const named = names.filter((name) => name !== 'parent_id');
    const { parent_id: parent, ...expected } = expectedOf(known);
    const lines = (from: readonly string[], value: string) =>
      `"\\n".join(f"{name}={${value}}" for name in ${JSON.stringify(from)})`;
    const seen = async (criteria: string) =>
      parse(await seenBy(python, { type: 'PYTHON', return_type: 'string', criteria }, event));
    expect(await seen(`result = ${lines(named, 'globals()[name]')}`)).toEqual(expected);
    expect(await seen(`result = ${lines(names, 'event[name]')}`)).toEqual({ ...expected, parent_id: parent });
    const body = `given = dict(locals())\n    return ${lines(named, 'given[name]')}`;
    expect(await seen(`def m(${named.join(', ')}):\n    ${body}`)).toEqual(expected);
  });
});
