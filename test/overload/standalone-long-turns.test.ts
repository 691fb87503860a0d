import { Client } from '../harness/stack/client.js';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { longestTurn, MAX_TURN_MS, RECORDING, recordedTurns } from './turns-of-process.js';

const LARGE = 10_000_000;
const ATTEMPTS = 4;

const keys = (count: number, value: unknown = 1) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, value]));
const event = (fields: object) => ({ event_type: 'tool', event_name: 'wide', ...fields });
const filter = (fields: object) => ({ field: 'inputs.t', type: 'string', ...fields });
const nested = (depth: number, inner: unknown): unknown =>
  depth === 0 ? inner : { n: nested(depth - 1, inner) };
const texts = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => `${index} `.padEnd(length, 'x'));

/** As long as a text of a filter may be. */
const JSON_TEXT = JSON.stringify(Array(32_000).fill(1));
const JSON_OBJECT = JSON.stringify({ a: 'é"\\n'.repeat(7_000) });
const ESCAPED_JSON = JSON.stringify({ a: '\n'.repeat(32_000) });

/** Waits for what is stored, and reads none of it. */
const NOTHING = { field: 'event_name', operator: 'is', value: 'no event', type: 'string' };

/** Requests of at most 10 MB that are as much work as requests can be, the status that each gets, and an `Idempotency-Key`. */
const REQUESTS: readonly [string, string, unknown, number | readonly [number, string]][] = [
  ['an event with 99,000 keys', '/v1/events', event({ inputs: keys(99_000) }), 200],
  ['an event with 99,000 keys of text', '/v1/events', event({ inputs: keys(99_000, 'x'.repeat(60)) }), 200],
  [
    'an event with keys in all its objects',
    '/v1/events',
    event({ inputs: keys(30_000), outputs: keys(30_000), metadata: keys(30_000) }),
    200,
  ],
  [
    'an event with a list of numbers',
    '/v1/events',
    event({ inputs: { list: Array(1_900_000).fill(1) } }),
    200,
  ],
  [
    'an event with objects in a list',
    '/v1/events',
    event({ inputs: { list: Array(90_000).fill({ a: 1 }) } }),
    200,
  ],
  ['an event with one long text', '/v1/events', event({ inputs: { t: 'é"'.repeat(LARGE / 4) } }), 200],
  [
    'an event with U+0000 in each text',
    '/v1/events',
    event({ inputs: keys(99_000, 'a\0b'), outputs: { list: Array(200_000).fill('\0') } }),
    200,
  ],
  [
    'an event with keys that are no Unicode text',
    '/v1/events',
    event({ inputs: Object.fromEntries(texts(99_000, 8).map((key) => [`\ud800${key}`, key])) }),
    200,
  ],
  [
    'an event with texts that look like escapes',
    '/v1/events',
    event({ inputs: keys(99_000, '\\u0000\\ud800'), outputs: { t: '\\u0000'.repeat(LARGE / 16) } }),
    200,
  ],
  [
    'an event with a long text of U+0000 and half pairs',
    '/v1/events',
    event({ inputs: { t: 'é\0\ud800'.repeat(LARGE / 16) } }),
    200,
  ],
  ['an event with integers beyond 64 bits', '/v1/events', event({ inputs: keys(99_000, 1e20) }), 200],
  [
    'an event with a long text and then many that are not ASCII',
    '/v1/events',
    event({ inputs: { t: '😀'.repeat(LARGE / 8), ...keys(60_000, '😀'.repeat(9)) } }),
    200,
  ],
  ['a deep event', '/v1/events', event({ inputs: nested(50, keys(90_000)) }), 200],
  [
    'a batch of small events',
    '/v1/events/batch',
    { events: Array(1_000).fill(event({ inputs: keys(90) })) },
    200,
  ],
  [
    'a batch of wide events',
    '/v1/events/batch',
    { events: Array(3).fill(event({ inputs: keys(30_000) })) },
    200,
  ],
  [
    'a filter with a list that is too long',
    '/v1/events/search',
    { filters: [filter({ operator: 'in', value: ['x'.repeat(LARGE)] })] },
    400,
  ],
  [
    'a filter with an operator of many words',
    '/v1/events/search',
    { filters: [filter({ operator: ' x'.repeat(LARGE / 2 - 100), value: 1 })] },
    400,
  ],
  [
    'filters with long lists',
    '/v1/events/search',
    { filters: Array(9).fill(filter({ operator: 'in', value: texts(1_000, 1_000) })) },
    200,
  ],
  [
    'filters with lists of long JSON',
    '/v1/events/search',
    { filters: Array(4).fill(filter({ operator: 'in', value: Array(15).fill(JSON_TEXT) })) },
    200,
  ],
  [
    'filters with long JSON',
    '/v1/events/search',
    { filters: Array(50).fill(filter({ operator: 'is not', value: JSON_TEXT })) },
    200,
  ],
  [
    'filters with lists of long integers',
    '/v1/events/search',
    { filters: Array(9).fill(filter({ operator: 'in', value: Array(15).fill('9'.repeat(65_000)) })) },
    200,
  ],
  [
    'filters with lists of texts that are all escaped',
    '/v1/events/search',
    { filters: Array(5).fill(filter({ operator: 'in', value: Array(15).fill('\n'.repeat(65_000)) })) },
    200,
  ],
  [
    'filters with lists of objects that are escaped',
    '/v1/events/search',
    { filters: Array(9).fill(filter({ operator: 'in', value: Array(20).fill(JSON_OBJECT) })) },
    200,
  ],
  [
    'many filters with long texts of JSON',
    '/v1/events/search',
    { filters: Array(50).fill(filter({ field: 'text', operator: 'contains', value: ESCAPED_JSON })) },
    200,
  ],
  [
    'many filters with long texts',
    '/v1/events/search',
    { filters: Array(50).fill(filter({ operator: 'contains', value: 'x'.repeat(65_000) })) },
    200,
  ],
  [
    'a wide event that may be repeated',
    '/v1/events',
    event({ inputs: keys(99_000, 'x'.repeat(60)) }),
    [200, 'wide'],
  ],
  [
    'an event with a long text that may be repeated',
    '/v1/events',
    event({ inputs: { t: 'é"'.repeat(LARGE / 4) } }),
    [200, 'long'],
  ],
  ['datapoints with 99,000 keys', '/v1/datapoints', { inputs: keys(99_000) }, 200],
];

describe('a turn of the event loop', () => {
  const { stack, client } = onStack(() => startStandalone({ LOG_LEVEL: 'error', ...RECORDING }));

  it('is recorded', () => expect(recordedTurns().length).toBeGreaterThan(0));

  it.each(REQUESTS)(
    `takes at most ${MAX_TURN_MS} ms of CPU for %s`,
    async (_name, path, body, expected) => {
      const [status, key] = typeof expected === 'number' ? [expected] : expected;
      const turns: number[] = [];
      // The first requests compile what the others use.
      while (turns.length < ATTEMPTS && !turns.some((ms) => ms <= MAX_TURN_MS)) {
        const headers: Record<string, string> = { prefer: 'wait=30' };
        if (key !== undefined) headers['idempotency-key'] = `${key}${turns.length}`;
        const send = async () => {
          const sent = await client.post(path, body, { headers });
          expect([sent.status, sent.status === status ? '' : sent.text]).toEqual([status, '']);
          if (path.startsWith('/v1/events') && status === 200)
            await new Client(stack).search({ limit: 1, filters: [NOTHING] });
        };
        turns.push(await longestTurn(send));
      }
      process.stdout.write(`${_name}: ${turns.join(', ')} ms\n`);
      expect(Math.min(...turns)).toBeLessThanOrEqual(MAX_TURN_MS);
    },
    120_000,
  );
});
