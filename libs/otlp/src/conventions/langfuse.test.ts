import { mapAttributes, mapOne, mapSpans, valueAt } from '../../test/map-one.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { langfuse } from './langfuse.js';

const GENERATION = { 'langfuse.observation.type': 'generation' };
const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const text = (key: string, path: string): TableCase => [key, 'some text', path, 'some text'];

const cases: TableCase[] = [
  ['langfuse.observation.type', 'generation', 'metadata.observation_type', 'generation'],
  [
    'langfuse.observation.input',
    '[{"role":"user","content":"hi"}]',
    'inputs',
    { chat_history: [{ role: 'user', content: 'hi' }] },
  ],
  [
    'langfuse.observation.input',
    '{"messages":[{"role":"user","content":"hi"}]}',
    'inputs',
    { chat_history: [{ role: 'user', content: 'hi' }] },
  ],
  ['langfuse.observation.output', 'yo', 'outputs', { role: 'assistant', content: 'yo' }],
  text('langfuse.observation.model.name', 'config.model'),
  ['langfuse.observation.model.parameters', '{"temperature":0.5}', 'config.temperature', 0.5],
  [
    'langfuse.observation.usage_details',
    '{"input":5,"output":2,"total":7,"audio":1}',
    'metadata.prompt_tokens',
    5,
  ],
  [
    'langfuse.observation.usage_details',
    '{"input":5,"output":2,"total":7,"audio":1}',
    'metadata.usage_details',
    { audio: 1 },
  ],
  ['langfuse.observation.cost_details', '{"total":0.002,"input":0.001}', 'metadata.cost', 0.002],
  [
    'langfuse.observation.cost_details',
    '{"total":0.002,"input":0.001}',
    'metadata.cost_details',
    { input: 0.001 },
  ],
  ['langfuse.observation.metadata', '{"a":1}', 'metadata.a', 1],
  ['langfuse.observation.metadata.b', '{"c":1}', 'metadata.b', { c: 1 }],
  ['langfuse.observation.level', 'WARNING', 'metadata.level', 'WARNING'],
  ['langfuse.observation.level', 'ERROR', 'error', 'error'],
  text('langfuse.observation.status_message', 'metadata.status_message'),
  [
    'langfuse.observation.completion_start_time',
    '"2023-11-14T22:13:20.250Z"',
    'metadata.time_to_first_token_ms',
    250,
  ],
  text('langfuse.observation.prompt.name', 'config.prompt_name'),
  ['langfuse.observation.prompt.version', 3, 'config.prompt_version', 3],
  text('langfuse.trace.name', 'metadata.trace_name'),
  ['langfuse.trace.input', '{"q":1}', 'inputs', { q: 1 }],
  ['langfuse.trace.output', '{"a":1}', 'outputs', { a: 1 }],
  ['langfuse.trace.tags', '["a","b"]', 'metadata.tags', ['a', 'b']],
  ['langfuse.trace.metadata', '{"a":1}', 'metadata.a', 1],
  ['langfuse.trace.metadata.b', 'c', 'metadata.b', 'c'],
  ['langfuse.trace.public', true, 'metadata.public', true],
  ['langfuse.session.id', UUID, 'session_id', UUID],
  ['langfuse.user.id', 'u1', 'user_properties.user_id', 'u1'],
  text('langfuse.environment', 'metadata.environment'),
  text('langfuse.release', 'metadata.release'),
  text('langfuse.version', 'metadata.version'),
];

describe('attributes of Langfuse', () => {
  it.each(cases)('%s = %j', (key, value, path, expected) => {
    expect(valueAt(mapAttributes({ ...GENERATION, [key]: value }), path)).toEqual(expected);
  });

  it('has a test case for every attribute', () => expect(untestedKeys(langfuse, cases)).toEqual([]));

  it.each([
    [{ 'langfuse.observation.type': 'embedding' }, 'model'],
    [{ 'langfuse.observation.type': 'agent' }, 'chain'],
    [{ 'langfuse.observation.type': 'retriever' }, 'tool'],
    [{ 'langfuse.observation.type': 'span' }, 'chain'],
    [{ 'langfuse.observation.type': 'span', 'langfuse.observation.model.name': 'm' }, 'model'],
    [{ 'langfuse.observation.type': 'span', 'langfuse.observation.usage_details': '{"input":1}' }, 'model'],
    [{ 'langfuse.observation.type': 'span', 'openinference.span.kind': 'TOOL' }, 'tool'],
  ])('%j is a %s', (attributes, type) => expect(mapAttributes(attributes).event_type).toBe(type));

  it('give the error of a failed observation', () => {
    const attributes = {
      'langfuse.observation.level': 'ERROR',
      'langfuse.observation.status_message': 'too long',
    };
    expect(mapAttributes(attributes).error).toBe('too long');
  });

  it('name the session after the trace', () => {
    expect(mapSpans([{ attributes: { 'langfuse.trace.name': 'My trace' } }]).sessions[0]?.event_name).toBe(
      'My trace',
    );
  });

  it('of a trace are not inputs of a child', () => {
    const event = mapOne({
      parentSpanId: 'aaaaaaaaaaaaaaaa',
      attributes: { 'langfuse.trace.input': '{"q":1}' },
    });
    expect(event.inputs).toEqual({});
    expect(event.metadata['langfuse.trace.input']).toBe('{"q":1}');
  });
});
