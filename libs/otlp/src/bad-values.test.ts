import type { Event } from '@assay/domain';
import { mapBothWays } from '../test/vectors.js';

const CHAT = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'gpt-4o' };
const INPUT = 'gen_ai.usage.input_tokens';
const OUTPUT = 'gen_ai.usage.output_tokens';
const TOTAL = 'gen_ai.usage.total_tokens';
/** The event of one span, which is the same in both encodings. */
function mapped(attributes: Record<string, unknown>): Event {
  const [event] = mapBothWays([{ attributes }]).events;
  if (event === undefined) throw new Error('the span gave no event');
  return event;
}
const chat = (attributes: Record<string, unknown>): Event => mapped({ ...CHAT, ...attributes });
const historyOf = ({ inputs }: Event) => inputs['chat_history'] as { content: string }[];

describe('counts that are no counts', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['negative', { [INPUT]: -5, [OUTPUT]: 7 }, { [INPUT]: -5, completion_tokens: 7, total_tokens: 7 }],
    ['fractional', { [INPUT]: 1.5, [OUTPUT]: 7 }, { [INPUT]: 1.5, completion_tokens: 7, total_tokens: 7 }],
    ['a word', { [INPUT]: 12, [OUTPUT]: 'many' }, { prompt_tokens: 12, [OUTPUT]: 'many', total_tokens: 12 }],
    ['missing', { [OUTPUT]: 7 }, { completion_tokens: 7, total_tokens: 7 }],
  ])('are not counted and not lost: %s', (_, attributes, expected) => {
    const { metadata } = chat(attributes);
    expect(metadata).toMatchObject(expected);
    for (const [key, counted] of [
      [INPUT, 'prompt_tokens'],
      [OUTPUT, 'completion_tokens'],
    ] as const)
      if (!(counted in expected))
        expect({ key, value: metadata[counted] }).toEqual({ key, value: undefined });
  });

  it('are not counted and not lost when they, their unit or their sum are beyond numbers', () => {
    const late = { 'gen_ai.client.operation.time_to_first_token': '-1.797693134862316e+305' };
    const { metadata } = chat({ ...late, [INPUT]: '1e300', [OUTPUT]: 7 });
    expect(metadata).toMatchObject({ ...late, [INPUT]: '1e300', total_tokens: 7 });
    expect(metadata).not.toHaveProperty('time_to_first_token_ms');
    const costs = { input: 1e308, output: 1e308 };
    const observed = mapped({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.cost_details': JSON.stringify(costs),
    });
    expect(observed.metadata).toMatchObject({ cost_details: costs });
    expect(observed.metadata['cost']).toBeUndefined();
  });

  it('are read when they are numbers as text', () => {
    expect(chat({ [INPUT]: '12', [OUTPUT]: '7' }).metadata).toMatchObject({
      prompt_tokens: 12,
      completion_tokens: 7,
      total_tokens: 19,
    });
  });

  it('are kept and marked when the total is smaller than its parts', () => {
    expect(chat({ [INPUT]: 10, [OUTPUT]: 7, [TOTAL]: 3 }).metadata).toMatchObject({
      prompt_tokens: 10,
      completion_tokens: 7,
      total_tokens: 3,
      usage_unreconciled: true,
    });
  });

  it('are kept as they are in a usage object', () => {
    const usage = { prompt_tokens: -1, completion_tokens: 'x', total_tokens: 2.5 };
    const { metadata } = mapped({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.usage_details': JSON.stringify(usage),
    });
    expect(metadata['usage_details']).toEqual(usage);
    for (const key of Object.keys(usage)) expect(metadata).not.toHaveProperty(key);
  });
});

describe('large values', () => {
  it('of a message are read: 100,000 parts', () => {
    const texts = Array.from({ length: 100_000 }, (_, index) => `part ${index}`);
    const parts = texts.map((content) => ({ type: 'text', content }));
    const history = historyOf(chat({ 'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts }]) }));
    expect(history).toEqual([{ role: 'user', content: texts.join('\n') }]);
  });

  it('of a response are read: 100,000 items of calls and texts, which are one message', () => {
    const items = Array.from({ length: 50_000 }, (_, index) => [
      { type: 'function_call', call_id: `c${index}`, name: 'f', arguments: '{}' },
      { type: 'reasoning', summary: [{ type: 'summary_text', text: `thought ${index}` }] },
    ]).flat();
    const { outputs } = chat({ 'gen_ai.output.messages': JSON.stringify(items) });
    expect(outputs['tool_calls']).toHaveLength(50_000);
    expect(outputs['reasoning']).toBe(
      Array.from({ length: 50_000 }, (_, index) => `thought ${index}`).join('\n'),
    );
  });

  it('of a name are kept: a model of 10 KB, which has no price', () => {
    const model = 'm'.repeat(10_240);
    const event = chat({ 'gen_ai.request.model': model, [INPUT]: 5, [OUTPUT]: 5 });
    expect(event).toMatchObject({ event_type: 'model', config: { model } });
    expect(event.metadata).not.toHaveProperty('cost');
  });

  it('that were cut are read up to the cut: messages in 10 MB of JSON', () => {
    const messages = Array.from({ length: 1_000 }, (_, index) => ({
      role: 'user',
      content: `${index}`.padEnd(10_500, 'x'),
    }));
    const event = chat({ 'gen_ai.input.messages': JSON.stringify(messages).slice(0, 10_000_000) });
    const history = historyOf(event);
    expect(history).toEqual(messages.slice(0, history.length));
    expect(history.length).toBeGreaterThan(900);
    expect(event.metadata['truncated']).toEqual(['gen_ai.input.messages']);
    expect(event.metadata['gen_ai.input.messages']).toEqual(expect.stringContaining(`${history.length}xxx`));
  });
});
