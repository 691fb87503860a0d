import type { Event } from '../events/event.js';
import { redactEvent } from '../events/redact/redact-event.js';
import { acceptRedaction, NO_REDACTION } from '../events/redact/redaction.js';
import { acceptEventMapping, datapointOfEvent } from './event-datapoint.js';

const message = { role: 'user', content: 'Hello' };
const event: Event = {
  project_id: 'p',
  event_id: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e',
  session_id: '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2f',
  parent_id: null,
  children_ids: [],
  event_type: 'model',
  event_name: 'greet',
  source: 'dev',
  start_time: 1,
  end_time: null,
  duration: null,
  error: null,
  inputs: { question: 'q', user: { name: 'n' }, chat_history: [message], empty: null },
  outputs: { answer: 'a' },
  config: {},
  metadata: { ['test.unique_id']: 'u' },
  metrics: {},
  feedback: {},
  user_properties: {},
  origin: 'sent',
};
const made = (mapping: Parameters<typeof acceptEventMapping>[0], fields: Partial<Event> = {}) =>
  datapointOfEvent(redactEvent({ ...event, ...fields }, NO_REDACTION), acceptEventMapping(mapping));

describe('a datapoint of an event', () => {
  it('has the inputs, the chat history and the outputs if there is no mapping', () => {
    for (const mapping of [{}, { inputs: [], history: [], ground_truth: [] }]) {
      expect(made(mapping)).toEqual({
        inputs: event.inputs,
        history: [message],
        ground_truth: { answer: 'a' },
        metadata: null,
        linked_event: event.event_id,
      });
    }
  });

  it('prefers the ground truth of the feedback', () => {
    expect(made({}, { feedback: { ground_truth: { answer: 'b' } } }).ground_truth).toEqual({ answer: 'b' });
    expect(made({}, { feedback: { ground_truth: 'b' } }).ground_truth).toEqual({ value: 'b' });
    expect(made({}, { feedback: { ground_truth: null } }).ground_truth).toEqual({ answer: 'a' });
    expect(made({}, { outputs: {} }).ground_truth).toBeNull();
  });

  it('ignores a chat history that is not a list of messages, unless a mapping names it', () => {
    expect(made({}, { inputs: { chat_history: 'text' } })).toMatchObject({
      history: [],
      inputs: { chat_history: 'text' },
    });
  });

  it('has the mapped fields, under their path below the root field, and nothing else', () => {
    const mapping = {
      inputs: [
        'inputs.question',
        'inputs.user.name',
        'metadata.test.unique_id',
        'event_name',
        'inputs.missing',
        'inputs.empty',
      ],
      history: ['inputs.chat_history', 'inputs.missing'],
      ground_truth: ['outputs', 'metrics.score'],
    };
    expect(made(mapping, { metrics: { score: 0 } })).toEqual({
      inputs: { question: 'q', ['user.name']: 'n', ['test.unique_id']: 'u', event_name: 'greet' },
      history: [message],
      ground_truth: { answer: 'a', score: 0 },
      metadata: null,
      linked_event: event.event_id,
    });
    expect(made({ inputs: ['inputs.question'] })).toMatchObject({
      inputs: { question: 'q' },
      history: [],
      ground_truth: null,
    });
  });

  it.each([['text'], [5], [{ role: 'user' }], [['text']]])(
    'is rejected if its history is %j',
    (chat_history) => {
      expect(() => made({ history: ['inputs.chat_history'] }, { inputs: { chat_history } })).toThrow(
        /^mapping\.history names a field/,
      );
    },
  );

  it.each([
    [{ inputs: ['nothing'] }, 'mapping.inputs[0] must be a field of events'],
    [{ history: ['inputs.a', 'event_name.x'] }, 'mapping.history[1] must be a field of events'],
    [{ ground_truth: ['__proto__.a'] }, 'mapping.ground_truth[0] must be a field of events'],
    [{ inputs: ['inputs.a', 'outputs.a'] }, 'mapping.inputs[1] gives a key that an earlier field gives'],
    [{ inputs: [`inputs${'.a'.repeat(32)}`] }, 'mapping.inputs[0] must not have more than 32 segments'],
  ])('is rejected with the mapping %j', (mapping, message) => {
    expect(() => acceptEventMapping(mapping)).toThrow(message);
  });

  it('has only the structure of values that may not leave the data plane', () => {
    const redacted = redactEvent(
      { ...event, feedback: { ground_truth: 'b' } },
      acceptRedaction({ redactValues: true }),
    );
    expect(
      datapointOfEvent(
        redacted,
        acceptEventMapping({ inputs: ['inputs.question'], ground_truth: ['outputs'] }),
      ),
    ).toMatchObject({
      inputs: { question: '' },
      ground_truth: { answer: '' },
    });
    expect(datapointOfEvent(redacted, undefined)).toMatchObject({
      history: [{ role: '', content: '' }],
      ground_truth: { value: '' },
    });
  });

  it('keeps keys such as __proto__ as data', () => {
    const inputs = JSON.parse('{"__proto__":{"a":1}}') as Event['inputs'];
    expect(JSON.stringify(made({ inputs: ['inputs'] }, { inputs }).inputs)).toBe('{"__proto__":{"a":1}}');
    expect(JSON.stringify(made({ inputs: ['inputs.__proto__.a'] }, { inputs }).inputs)).toBe(
      '{"__proto__.a":1}',
    );
  });
});
