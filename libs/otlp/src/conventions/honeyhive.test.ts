import { mapAttributes, mapOne, mapSpans, valueAt } from '../../test/map-one.js';
import { untestedKeys, type TableCase } from '../../test/table-cases.js';
import { honeyhive } from './honeyhive.js';

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

const cases: TableCase[] = [
  ['honeyhive_event_type_raw', 'generation', 'event_type', 'model'],
  ['honeyhive_event_type', 'model', 'event_type', 'model'],
  ['honeyhive_event_type', 'tool', 'event_type', 'tool'],
  ['honeyhive_event_name', 'plan trip', 'event_name', 'plan trip'],
  ['honeyhive_event_id', UUID.toUpperCase(), 'event_id', UUID],
  ['honeyhive_event_id', 'mine', 'metadata.honeyhive_event_id', 'mine'],
  ['honeyhive_session_id', UUID, 'session_id', UUID],
  ['honeyhive.session_id', UUID, 'session_id', UUID],
  ['traceloop.association.properties.session_id', UUID, 'session_id', UUID],
  ['traceloop.association.properties.session_id', UUID, 'metadata.session_id', UUID],
  ['honeyhive_project', 'other', 'metadata.honeyhive_project', undefined],
  ['honeyhive.project', 'other', 'project_id', 'project-1'],
  ['traceloop.association.properties.project', 'other', 'metadata.project', undefined],
  ['honeyhive_source', ' Prod ', 'source', ' Prod '],
  ['honeyhive.source', 'prod', 'source', 'prod'],
  ['traceloop.association.properties.source', 'prod', 'source', 'prod'],
  ['honeyhive.parent_id', UUID, 'parent_id', UUID],
  ['traceloop.association.properties.parent_id', UUID, 'parent_id', UUID],
  ['traceloop.association.properties.user_id', 'u1', 'user_properties.user_id', 'u1'],
  ['honeyhive_user_id', 'u1', 'user_properties.user_id', 'u1'],
  ['honeyhive_inputs.q', 'why', 'inputs.q', 'why'],
  ['honeyhive_inputs.arg', '{"a":[1]}', 'inputs.arg', { a: [1] }],
  ['honeyhive_inputs.list.1.b', true, 'inputs.list', [null, { b: true }]],
  ['honeyhive_inputs', '{"q":"why"}', 'inputs.q', 'why'],
  ['honeyhive_inputs', 'just text', 'inputs.value', 'just text'],
  ['honeyhive_outputs.result', 42, 'outputs.result', 42],
  ['honeyhive_outputs', { a: 1 }, 'outputs.a', 1],
  ['honeyhive_config.temperature', 0.5, 'config.temperature', 0.5],
  ['honeyhive_config', '{"model":"m"}', 'config.model', 'm'],
  ['honeyhive_metadata.run_id', 'run-1', 'metadata.run_id', 'run-1'],
  ['honeyhive_metadata', '{"a":1}', 'metadata.a', 1],
  ['honeyhive_metadata', '{"prompt_tokens":12,"completion_tokens":3}', 'metadata.total_tokens', 15],
  [
    'honeyhive_metadata',
    '{"prompt_tokens":12,"completion_tokens":3,"total_tokens":20}',
    'metadata.total_tokens',
    20,
  ],
  ['honeyhive_metrics.score', 0.9, 'metrics.score', 0.9],
  ['honeyhive_metrics.score', '42', 'metrics.score', 42],
  ['honeyhive_metrics.id', '9007199254740993', 'metrics.id', 9007199254740993n],
  ['honeyhive_metrics.ok', 'true', 'metrics.ok', true],
  ['honeyhive_metrics.grade', 'good', 'metrics.grade', 'good'],
  ['honeyhive_metrics', '{"score":1}', 'metrics.score', 1],
  ['honeyhive_feedback.rating', 5, 'feedback.rating', 5],
  ['honeyhive_feedback', '{"rating":5}', 'feedback.rating', 5],
  ['honeyhive_user_properties.plan', 'pro', 'user_properties.plan', 'pro'],
  ['honeyhive_user_properties', '{"plan":"pro"}', 'user_properties.plan', 'pro'],
  ['honeyhive_error', 'it broke', 'error', 'it broke'],
  ['honeyhive_error', 'it broke', 'metadata.honeyhive_error', undefined],
  ['honeyhive_error_type', 'Timeout', 'metadata.error_type', 'Timeout'],
  ['honeyhive_duration_ms', 7, 'metadata.honeyhive_duration_ms', 7],
  ['honeyhive.experiment_id', 'e1', 'metadata.experiment_id', 'e1'],
  ['honeyhive.experiment_name', 'e', 'metadata.experiment_name', 'e'],
  ['honeyhive.experiment_variant', 'v', 'metadata.experiment_variant', 'v'],
  ['honeyhive.experiment_group', 'g', 'metadata.experiment_group', 'g'],
  ['honeyhive.experiment_metadata.run_id', 'r', 'metadata.run_id', 'r'],
  [
    'honeyhive.experiment_metadata',
    '{"dataset_id":"d","note":"n"}',
    'metadata.experiment_metadata',
    { dataset_id: 'd', note: 'n' },
  ],
  ['traceloop.association.properties.run_id', 'run-1', 'metadata.run_id', 'run-1'],
  ['traceloop.association.properties.datapoint_id', 'd-1', 'metadata.datapoint_id', 'd-1'],
  ['baggage.tenant', 'acme', 'metadata.baggage', { tenant: 'acme' }],
  ['honeyhive.inputs.prompt', 'dotted', 'metadata.honeyhive.inputs.prompt', 'dotted'],
  ['test.unique_id', 'abc', 'metadata.test.unique_id', 'abc'],
];

describe('attributes of the native SDK', () => {
  it.each(cases)('%s = %j', (key, value, path, expected) => {
    expect(valueAt(mapAttributes({ [key]: value }), path)).toEqual(expected);
  });

  it('has a test case for every attribute', () => {
    const elsewhere = ['honeyhive_session_name', 'honeyhive.session_name', 'honeyhive.session_auto_create'];
    expect(untestedKeys(honeyhive, cases)).toEqual(elsewhere);
  });

  it.each(['honeyhive_session_name', 'honeyhive.session_name'])('%s names the session', (key) => {
    expect(mapSpans([{ attributes: { [key]: 'My session' } }]).sessions).toMatchObject([
      { event_name: 'My session' },
    ]);
  });

  it.each([
    [true, 1],
    [false, 0],
    ['false', 0],
  ])('honeyhive.session_auto_create = %j makes %i sessions', (value, count) => {
    expect(mapSpans([{ attributes: { 'honeyhive.session_auto_create': value } }]).sessions).toHaveLength(
      count,
    );
  });
});

describe('flattened values', () => {
  it('are the same in whatever order they come', () => {
    const entries = {
      'honeyhive_inputs.a.10': 'k',
      'honeyhive_inputs.a.9': 'j',
      'honeyhive_inputs.b': 1,
      'honeyhive_inputs.b.c': 2,
    };
    const reversed = Object.fromEntries(Object.entries(entries).reverse());
    const { inputs } = mapAttributes(entries);
    expect(inputs['a']).toEqual([...new Array<null>(9).fill(null), 'j', 'k']);
    expect(inputs['b']).toEqual({ _value: 1, c: 2 });
    expect(mapAttributes(reversed).inputs).toEqual(inputs);
  });

  it('keep indices that would make a long array, or that stand beside names, as keys', () => {
    expect(mapAttributes({ 'honeyhive_inputs.a.20000': 1 }).inputs).toEqual({ a: { 20000: 1 } });
    expect(mapAttributes({ 'honeyhive_inputs.a.9999': 1 }).inputs).toEqual({ a: { 9999: 1 } });
    expect(mapAttributes({ 'honeyhive_inputs.a.0': 1, 'honeyhive_inputs.a.b': 2 }).inputs).toEqual({
      a: { 0: 1, b: 2 },
    });
  });

  it('never reach a prototype', () => {
    const event = mapAttributes({
      'honeyhive_inputs.__proto__.x': 1,
      'honeyhive_config.constructor': 2,
      'honeyhive_inputs.ok': 3,
    });
    expect(event.inputs).toEqual({ ok: 3 });
    expect(event.metadata).toMatchObject({
      'honeyhive_inputs.__proto__.x': 1,
      'honeyhive_config.constructor': 2,
    });
    expect(Object.prototype).not.toHaveProperty('x');
  });
});

describe('the event type', () => {
  it('set by the user takes precedence over the default of the SDK', () => {
    expect(
      mapAttributes({ honeyhive_event_type: 'tool', honeyhive_event_type_raw: 'agent' }).event_type,
    ).toBe('chain');
  });

  it('set to tool by the SDK ranks below a convention', () => {
    expect(mapAttributes({ honeyhive_event_type: 'tool', 'openinference.span.kind': 'LLM' }).event_type).toBe(
      'model',
    );
  });

  it('session makes the span the session event itself', () => {
    const attributes = {
      honeyhive_event_type: 'session',
      honeyhive_session_id: UUID,
      honeyhive_session_name: 'Trip',
    };
    const child = { spanId: 'aaaaaaaaaaaaaaaa', parentSpanId: 'eee19b7ec3c1b174' };
    const { events, sessions } = mapSpans([child, { attributes }]);
    expect(sessions).toEqual([]);
    expect(events[1]).toMatchObject({
      event_id: UUID,
      session_id: UUID,
      parent_id: null,
      event_name: 'Trip',
      event_type: 'session',
    });
    expect(events[0]).toMatchObject({ session_id: UUID, parent_id: UUID });
  });
});

describe('a span of the SDK in its own JSON', () => {
  it('with enum names, a null parent and numeric times is the same as in the standard form', () => {
    const own = mapOne({
      kind: 'SPAN_KIND_CLIENT',
      parentSpanId: null,
      startTimeUnixNano: 1700000000000000000,
      status: { code: 'STATUS_CODE_ERROR' },
    });
    const standard = mapOne({ kind: 3, startTimeUnixNano: '1700000000000000000', status: { code: 2 } });
    expect(own).toEqual(standard);
  });
});
