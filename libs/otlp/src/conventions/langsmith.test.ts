import { sessionIdOf } from '@assay/domain';
import { mapAttributes, mapOne, mapSpans, PROJECT, valueAt } from '../../test/map-one.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { langsmith } from './langsmith.js';

const cases: TableCase[] = [
  ['langsmith.span.kind', 'LLM', 'metadata.span_kind', 'LLM'],
  ['langsmith.trace.name', 'My chain', 'metadata.trace_name', 'My chain'],
  ['langsmith.trace.name', 'My chain', 'event_name', 'a span'],
  ['langsmith.metadata.session_id', 's1', 'session_id', sessionIdOf(PROJECT, 's1')],
  ['langsmith.metadata.thread_id', 's1', 'session_id', sessionIdOf(PROJECT, 's1')],
  ['langsmith.metadata.conversation_id', 's1', 'session_id', sessionIdOf(PROJECT, 's1')],
  ['langsmith.metadata.user_id', 'u1', 'user_properties.user_id', 'u1'],
  [
    'langsmith.metadata.usage_metadata',
    '{"input_tokens":9,"output_tokens":2,"total_tokens":11,"input_token_details":{"cache_read":4}}',
    'metadata.aggregate_usage',
    { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11, cache_read_input_tokens: 4 },
  ],
  ['langsmith.metadata.tier', 'pro', 'metadata.tier', 'pro'],
  ['langsmith.span.tags', 'a, b,,c', 'metadata.tags', ['a', 'b', 'c']],
  ['langsmith.trace.session_id', 'a project', 'metadata.langsmith.trace.session_id', 'a project'],
  ['gen_ai.prompt.0.message.content', 'hi', 'inputs.chat_history', [{ role: 'user', content: 'hi' }]],
];

describe('attributes of LangSmith', () => {
  it.each(cases)('%s = %j', (key, value, path, expected) =>
    expect(valueAt(mapAttributes({ [key]: value }), path)).toEqual(expected),
  );

  it('has a test case for every attribute', () => expect(untestedKeys(langsmith, cases)).toEqual([]));

  it.each([
    ['LLM', 'model'],
    ['parser', 'chain'],
    ['Retriever', 'tool'],
  ])('the kind %s is a %s', (kind, type) =>
    expect(mapAttributes({ 'langsmith.span.kind': kind }).event_type).toBe(type),
  );

  it.each([
    ['inner', 'outer', { content: 'inner', details: [{ outer: { content: 'outer' } }] }],
    ['same', 'same', { content: 'same' }],
    ['', 'outer', { content: 'outer' }],
  ])('keep the content %j of the message inside beside %j', (inner, outer, expected) => {
    const { outputs } = mapAttributes({
      'gen_ai.completion.0.message.content': inner,
      'gen_ai.completion.0.content': outer,
    });
    expect(outputs).toEqual({ role: 'assistant', ...expected });
  });

  it.each([['STATUS_CODE_OK'], ['STATUS_CODE_ERROR']])('fail with their exception and status %s', (code) => {
    const exception = { name: 'exception', attributes: { 'exception.message': 'broken' } };
    const run = { attributes: { 'langsmith.span.kind': 'llm' }, status: { code }, events: [exception] };
    expect(mapOne(run).error).toBe('broken');
    expect(mapOne({ ...run, attributes: {} }).error).toBe(code === 'STATUS_CODE_OK' ? null : 'broken');
  });

  it('name the session after the trace', () => {
    expect(mapSpans([{ attributes: { 'langsmith.trace.name': 'My chain' } }]).sessions[0]?.event_name).toBe(
      'My chain',
    );
  });
});
