import type { JsonObject } from '../../json.js';
import { redactSessionSummary } from '../../sessions/redact-session-summary.js';
import { acceptFilters, type FilterInput } from '../filter/accept-filters.js';
import { emptyEvent, type Event } from '../event.js';
import { decidesOnStored } from './decides-on-stored.js';
import { redactEvent } from './redact-event.js';
import { acceptRedaction, type RedactionSettings } from './redaction.js';

const KEY = 'a key that the control plane does not have';
const NAMES: RedactionSettings = { redactValues: true, namesKey: KEY };
const NUMBERS: RedactionSettings = { redactValues: true, redactNumbers: true };
const TOKEN = /^name_[0-9a-f]{32}$/;
const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';

const redact = (fields: Partial<Event>, settings: RedactionSettings) =>
  redactEvent({ ...emptyEvent(), ...fields }, acceptRedaction(settings));
const nameOf = (event_name: string, settings = NAMES) => redact({ event_name }, settings).event_name;

describe('integers that no number holds digit for digit', () => {
  const [id, exact] = [9_007_199_254_740_993n, 123_456_789_012_345_678_901n];
  const value: JsonObject = { id, list: [exact, { rows: -exact }] };
  const emptied = { id: 0, list: [0, { rows: 0 }] };

  it('are emptied in inputs and outputs, and leave with every digit elsewhere', () => {
    const fields = { inputs: value, outputs: value, metadata: { ...value, inputs: value }, feedback: value };
    expect(redact(fields, { redactValues: true })).toMatchObject({
      ...{ inputs: emptied, outputs: emptied },
      ...{ metadata: { ...value, inputs: emptied }, feedback: value },
    });
    expect(redact(fields, { redactValues: false })).toMatchObject(fields);
    expect(redact({ metadata: value }, { redactValues: false, redactFields: ['metadata.id'] })).toMatchObject(
      {
        metadata: { ...value, id: 0 },
      },
    );
  });

  it('leave only under known names, and in their shapes, where other numbers do', () => {
    const metadata = { ...value, run_id: id, deep: { total_tokens: id, cost: exact } };
    expect(redact({ metadata }, NUMBERS).metadata).toEqual({
      ...emptied,
      run_id: id,
      deep: { total_tokens: 0, cost: 0 },
    });
  });
});

describe('names that leave as a token', () => {
  it('are equal for equal names, and different for other names and other keys', () => {
    expect(nameOf('a merger')).toMatch(TOKEN);
    expect(nameOf('a merger')).toBe(nameOf('a merger'));
    const others = [nameOf('A merger'), nameOf('a merger', { ...NAMES, namesKey: `${KEY}.` })];
    expect(new Set([nameOf('a merger'), ...others]).size).toBe(3);
    expect(redact({ source: 'a merger' }, NAMES).source).toBe(nameOf('a merger'));
  });

  it('stay where they are none, and leave empty where they are no line', () => {
    for (const name of ['', 'unknown']) expect(nameOf(name)).toBe(name);
    for (const text of ['two\nlines', 'x'.repeat(201)]) expect(nameOf(text)).toBe('');
  });

  it('are tokens under the names of the allow list too, and the other names of it stay', () => {
    const names = { source: 'berlin', event_name: 'hire', 'service.name': 'payroll', session_name: 'anna' };
    const metadata: JsonObject = {
      ...names,
      service: { name: 'payroll' },
      model: 'gpt-4o',
      environment: 'prod',
    };
    const settings = { ...NAMES, allowedNames: ['session_name', 'service.name'] };
    const left = redact({ metadata }, settings).metadata;
    for (const name of Object.keys(names))
      expect([name, left[name]]).toEqual([name, expect.stringMatching(TOKEN)]);
    expect(left).toMatchObject({
      service: { name: left['service.name'] },
      model: 'gpt-4o',
      environment: 'prod',
    });
  });

  it('stay emptied where a rule empties the field, and a rule must not expose them', () => {
    expect(nameOf('hire', { ...NAMES, redactFields: ['event_name'] })).toBe('');
    for (const field of ['event_name', 'source'])
      expect(() => acceptRedaction({ ...NAMES, redactFields: [`!${field}`] })).toThrow(
        `entry 1 of REDACT_FIELDS must not leave ${field} with REDACT_NAMES`,
      );
  });

  it('are not searched for on stored events', () => {
    const decides = (input: FilterInput, settings: RedactionSettings) =>
      decidesOnStored(acceptFilters([input], 'strict')[0]!, acceptRedaction(settings));
    for (const field of ['event_name', 'source', 'session_name']) {
      const filter = { field, operator: 'is', value: 'hire' } as const;
      expect([field, decides(filter, NAMES)]).toEqual([field, false]);
    }
    const onName = { field: 'event_name', operator: 'is', value: 'hire' } as const;
    expect(decides(onName, { redactValues: true })).toBe(true);
  });
});

describe('numbers that leave under known names only', () => {
  it('are those under names of the allow list, in their shape; text and booleans leave as before', () => {
    const metadata: JsonObject = {
      total_tokens: 42,
      cost: 0.25,
      tier: 3,
      salary: 120_000,
      list: [7, 'x', true, null],
      nested: { prompt_tokens: 5, age: 44 },
      run_id: 17,
      model: 4,
      gen_ai: { usage: { input_tokens: 9 } },
      passed: true,
    };
    const settings = { ...NUMBERS, allowedNames: ['tier'] };
    expect(redact({ metadata }, settings).metadata).toEqual({
      total_tokens: 42,
      cost: 0.25,
      tier: 3,
      salary: 0,
      list: [0, '', true, null],
      nested: { prompt_tokens: 5, age: 0 },
      run_id: 17,
      model: 4,
      gen_ai: { usage: { input_tokens: 9 } },
      passed: true,
    });
    for (const field of ['config', 'metrics', 'feedback', 'user_properties'] as const)
      expect(redact({ [field]: { n: 5, tier: 1 } }, settings)[field]).toEqual({ n: 0, tier: 1 });
  });

  it('are times of an event, and no numbers of inputs and outputs whatever their name', () => {
    const times = { start_time: 1_795_255_200_000, end_time: 1_795_255_200_250, duration: 250 };
    const inputs = { total_tokens: 5 };
    expect(
      redact({ ...times, inputs, outputs: inputs, metadata: { outputs: inputs } }, NUMBERS),
    ).toMatchObject({
      ...times,
      inputs: { total_tokens: 0 },
      outputs: { total_tokens: 0 },
      metadata: { outputs: { total_tokens: 0 } },
    });
  });
});

describe('the summary of a session', () => {
  const summary = {
    session_id: ID,
    session_name: 'anna',
    source: 'berlin',
    start_time: 1,
    end_time: 2,
    duration: 1,
    num_events: 3,
    num_model_events: 1,
    num_tool_events: 1,
    num_chain_events: 1,
    num_errors: 0,
    event_names: [
      { event_type: 'tool' as const, event_name: 'anna', count: 2 },
      { event_type: 'model' as const, event_name: 'unknown', count: 1 },
    ],
    metrics: [
      { name: 'salary', count: 1, sum: 120_000, min: 120_000, max: 120_000 },
      { name: 'accuracy', count: 1, sum: 1, min: 1, max: 1 },
    ],
    run_ids: [ID],
    days: [{ day: '2026-11-26', num_events: 3, num_model_events: 1, total_tokens: 7, cost: 0.5 }],
  };

  it('has tokens in place of names', () => {
    const left = redactSessionSummary(summary, acceptRedaction(NAMES));
    expect(left.session_name).toMatch(TOKEN);
    expect(left.source).toMatch(TOKEN);
    expect(left.event_names).toEqual([
      { event_type: 'tool', event_name: left.session_name, count: 2 },
      { event_type: 'model', event_name: 'unknown', count: 1 },
    ]);
  });

  it('has no totals of metrics whose numbers do not leave, and keeps counts, tokens and cost', () => {
    const redaction = acceptRedaction({ ...NUMBERS, allowedNames: ['accuracy'] });
    const left = redactSessionSummary(summary, redaction);
    expect(left).toEqual({ ...summary, metrics: [summary.metrics[1]] });
  });
});

it.each([{ namesKey: KEY }, { redactNumbers: true }])(
  'stricter forms need the redaction of values: %j',
  (settings) => {
    expect(() => acceptRedaction({ redactValues: false, ...settings })).toThrow(
      'REDACT_NAMES and REDACT_NUMBERS need REDACT_VALUES=true',
    );
  },
);
