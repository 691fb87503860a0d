import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../json.js';
import { acceptEvent } from '../accept/accept-event.js';
import type { Event } from '../event.js';
import { toWireEvent } from '../wire/wire-event.js';
import { ALLOWED_NAMES } from './allow-list.js';
import { redactEvent } from './redact-event.js';
import { acceptRedaction, type RedactionSettings } from './redaction.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const seed = Date.now() % 1_000_000;

function redact(fields: Partial<Event>, settings: Partial<RedactionSettings> = {}): Event {
  const context = { projectId: 'p', now: 1000, newId: () => ID };
  const { event } = acceptEvent({ event_type: 'model', inputs: {} }, context);
  return redactEvent({ ...event, ...fields }, acceptRedaction({ redactValues: true, ...settings }));
}
const metadata = (value: JsonObject, settings: Partial<RedactionSettings> = {}) =>
  redact({ metadata: value }, settings).metadata;
const BUCKETS = [
  'inputs',
  'outputs',
  'config',
  'metadata',
  'metrics',
  'feedback',
  'user_properties',
] as const;

describe(`the allow list of redaction (seed ${seed})`, () => {
  it('removes text under every name that it does not contain, at any depth and in any case', () => {
    const values = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>;
    const objects = fc.dictionary(fc.stringMatching(/^[a-zA-Z]{1,12}X$/), values);
    fc.assert(
      fc.property(objects, (value) => {
        const tainted = JSON.parse(JSON.stringify(value), (_, item: JsonValue) =>
          typeof item === 'string' ? `canary${item}` : item,
        ) as JsonObject;
        const fields = Object.fromEntries(BUCKETS.map((bucket) => [bucket, tainted]));
        expect(JSON.stringify(redact(fields))).not.toContain('canary');
      }),
      { seed, numRuns: 500 },
    );
  });

  it.each([
    ['metadata', 'inputs'],
    ['metadata', 'request.body'],
    ['metadata', 'db.query.text'],
    ['metadata', 'gen_ai.retrieval.query'],
    ['metadata', 'gen_ai.prompt.0.content'],
    ['metadata', 'Error_Stack'],
    ['metadata', 'MODELS'],
    ['config', 'template'],
    ['metrics', 'explanation'],
    ['feedback', 'ground_truth'],
    ['user_properties', 'user_id'],
    ['metadata', 'session_name'],
  ] as const)('removes the text of %s.%s', (field, name) => {
    const nested = { [name]: 'canary', deep: [{ [name]: { x: ['canary'] } }] };
    expect(redact({ [field]: nested })[field]).toEqual({ [name]: '', deep: [{ [name]: { x: [''] } }] });
  });

  it('keeps numbers and booleans outside inputs and outputs, and no value of a copy of these', () => {
    const value = { score: 0.5, passed: true, nothing: null, list: [1, 'x'] };
    const kept = { score: 0.5, passed: true, nothing: null, list: [1, ''] };
    const emptied = { score: 0, passed: false, nothing: null, list: [0, ''] };
    expect(redact({ metrics: value, feedback: value, inputs: value })).toMatchObject({
      metrics: kept,
      feedback: kept,
      inputs: emptied,
    });
    expect(metadata({ inputs: value, run: { Outputs: value } })).toEqual({
      inputs: emptied,
      run: { Outputs: emptied },
    });
  });

  it.each([
    ['run_id', ID],
    ['Run_ID', ID.toUpperCase()],
    ['runId', ID],
    ['dataset_id', 'EXT-0123456789abcdef01234567'],
    ['datapoint_id', '0123456789abcdef01234567'],
    ['trace_id', '0123456789abcdef0123456789abcdef'],
    ['gen_ai.request.model', 'accounts/fireworks/models/llama-v3p1-8b'],
    ['MODEL', 'claude-3-5-sonnet@20240620'],
    ['model_name', 'anthropic.claude-3-5-sonnet-20240620-v1:0'],
    ['gen_ai.provider.name', 'azure.ai.openai'],
    ['gen_ai.system', 'openai'],
    ['deployment.environment.name', 'prod'],
    ['environment', 'staging'],
    ['source', 'sdk-python'],
    ['service.name', 'checkout'],
    ['error.type', 'openai.RateLimitError'],
    ['exception.type', 'ValueError'],
    ['total_tokens', '42'],
    ['cost', '0.0012'],
  ])('keeps %s with the value %s', (name, text) => {
    expect(metadata({ [name]: text, deep: [{ [name]: text }] })).toEqual({
      [name]: text,
      deep: [{ [name]: text }],
    });
  });

  it.each([
    ['run_id', 'the run of bob'],
    ['run_id', 'bob'],
    ['datapoint_id', `${ID} `],
    ['trace_id', 'a'.repeat(65)],
    ['model', 'tell me the salary of bob'],
    ['model', 'm'.repeat(101)],
    ['provider', 'bob@example.org'],
    ['environment', 'line\nbreak'],
    ['error.type', 'cannot parse "secret"'],
    ['total_tokens', 'many'],
    ['cost', '1 dollar'],
  ])('removes %s with the value %j, which has another shape', (name, text) => {
    expect(metadata({ [name]: text })).toEqual({ [name]: '' });
  });

  it('does not apply below a name that carries values', () => {
    const value = { model: 'canary', run_id: ID };
    const carried = { Input: value, 'gen_ai.prompt': [value], documents: { a: value }, body: { b: value } };
    expect(JSON.stringify(metadata(carried))).not.toMatch(/canary|0b5f/);
  });

  it('keeps ids of parents and children only if they are ids, and names only if they are names', () => {
    const text = 'the id of bob';
    expect(redact({ parent_id: text, children_ids: [ID, text, '0123456789abcdef'] })).toMatchObject({
      parent_id: '',
      children_ids: [ID, '', '0123456789abcdef'],
    });
    expect(redact({ parent_id: null, event_name: 'answer question', source: 'prod' })).toMatchObject({
      parent_id: null,
      event_name: 'answer question',
      source: 'prod',
    });
    expect(redact({ event_name: 'x'.repeat(201), source: 'a\nb' })).toMatchObject({
      event_name: '',
      source: '',
    });
    expect(redact({ error: text }).error).toBe('');
  });

  it('has no session_name: a session is named by its event_name, unless the operator adds the name', () => {
    const session: Partial<Event> = {
      event_type: 'session',
      event_name: 'chat',
      metadata: { session_name: 'refund of bob' },
    };
    expect(toWireEvent(redact(session), { name: 'bot' }).session_name).toBe('chat');
    const allowed = redact(session, { allowedNames: ['session_name'] });
    expect(toWireEvent(allowed, { name: 'bot' }).session_name).toBe('refund of bob');
  });

  it('is extended by names of the operator, in the same way', () => {
    const allowedNames = ['tier', 'Customer.Plan'];
    const value = { tier: 'gold plan', a: [{ TIER: 'gold' }], customer: { plan: 'pro' }, plan: 'secret' };
    const kept = { ...value, plan: '' };
    expect(metadata(value, { allowedNames })).toEqual(kept);
    expect(redact({ user_properties: value }, { allowedNames }).user_properties).toEqual(kept);
    expect(metadata({ tier: 'x'.repeat(201), body: { tier: 'secret' } }, { allowedNames })).toEqual({
      tier: '',
      body: { tier: '' },
    });
    expect(redact({ inputs: value, outputs: { tier: 'x' } }, { allowedNames })).toMatchObject({
      inputs: { tier: '' },
      outputs: { tier: '' },
    });
  });

  it.each(['', 'a b', 'a..b', '*', 'x'.repeat(101)])('cannot be extended by the name %j', (name) => {
    expect(() => acceptRedaction({ redactValues: true, allowedNames: ['tier', name] })).toThrow(
      /entry 2 of REDACT_ALLOW/,
    );
  });

  it('has lower precedence than the fields that an operator redacts', () => {
    const redactFields = ['metadata', '!metadata.plan'];
    expect(metadata({ model: 'gpt', n: 1, plan: 'x y' }, { redactFields })).toEqual({
      model: '',
      n: 0,
      plan: 'x y',
    });
  });

  it('replaces keys that are longer than a name or have control characters', () => {
    const long = 'k'.repeat(101);
    const value = { [long]: 1, ok: 'x', ['a\nb']: { [long]: true } };
    const keys = { redacted_key_0: 1, ok: '', redacted_key_2: { redacted_key_0: true } };
    const emptied = { redacted_key_0: 0, ok: '', redacted_key_2: { redacted_key_0: false } };
    expect(redact({ metadata: value, inputs: value })).toMatchObject({ metadata: keys, inputs: emptied });
    expect(Object.keys(redact({ metadata: value }, { redactValues: false }).metadata)).toContain(long);
  });

  it('is listed in the documentation', () => {
    const page = readFileSync(join(__dirname, '../../../../../docs/redaction.md'), 'utf8');
    const rows = ALLOWED_NAMES.map(({ names, shape, meaning }) => {
      const spelled = names.map((name) => `\`${name}\``).join(', ');
      return `| ${spelled} | ${shape} | ${meaning} |`;
    });
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
