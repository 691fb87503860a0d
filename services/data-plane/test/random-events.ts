import { randomUUID } from 'node:crypto';
import type { Event, JsonObject, JsonValue } from '@assay/domain';

/** Returns a seeded generator of numbers in [0, 1): the "minimal standard" generator of Park and Miller. */
export function seededRandom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state - 1) / 2_147_483_646;
  };
}

const KEYS = ['a', 'b', 'a.b', 'b.a', 'a.b.a', 'a=b', 'cost', 'total_tokens', 'num_events', ''];
const TEXTS = [
  '',
  'x',
  'X',
  'True',
  'false',
  '5',
  '5.0',
  '-3e2',
  '2026-01-01',
  '2026-01-01T02:30:00.1239+02:30',
].concat([
  '2026-02-30',
  '2026-01-01 00:00:00',
  '{"a":1}',
  'é',
  'b=x',
  'null',
  '1e+3',
  '😀',
  "it's",
  'y'.repeat(300),
]);
const NUMBERS = [0, 5, -300, 0.5, 0.1, 1 / 3, 1e21, 1e20, 5e-7, 5e-324, 2 ** 53 + 2, 1_767_225_600_000];
const LISTS: JsonValue[] = [[], [1], ['x'], [{ a: 'x' }]];
const START = 1_767_225_600_000;

/** Picks one of some values. */
export function pick<T>(random: () => number, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)] as T;
}

/** Returns a value, or null half of the time. */
const maybe = <T>(random: () => number, value: T) => (random() < 0.5 ? value : null);

function randomValue(random: () => number, depth: number): JsonValue {
  if (depth > 0 && random() < 0.4) return randomObject(random, depth - 1);
  const kinds = [TEXTS, NUMBERS, [true, false, null], LISTS];
  return pick<JsonValue>(random, pick<readonly JsonValue[]>(random, kinds));
}

function randomObject(random: () => number, depth: number): JsonObject {
  const keys = KEYS.filter(() => random() < 0.4);
  return Object.fromEntries(keys.map((key) => [key, randomValue(random, depth)]));
}

function randomTimes(random: () => number): Pick<Event, 'start_time' | 'end_time' | 'duration'> {
  const start_time = START + Math.floor(random() * 100_000) / 8;
  return {
    start_time,
    end_time: maybe(random, start_time + random() * 900),
    duration: maybe(random, random() * 99),
  };
}

function randomFields(random: () => number): Partial<Event> {
  const crowd = Array.from({ length: random() < 0.2 ? 140 : 0 }, (_, i) => [`k${i}`, `v${i}`]);
  return {
    ...randomTimes(random),
    event_name: pick(random, TEXTS),
    source: pick(random, TEXTS),
    error: maybe(random, pick(random, TEXTS)),
    inputs: randomObject(random, 2),
    outputs: randomObject(random, 2),
    config: randomObject(random, 1),
    metadata: randomObject(random, 2),
    metrics: randomObject(random, 1),
    feedback: random() < 0.3 ? randomObject(random, 1) : {},
    user_properties: Object.fromEntries(crowd) as JsonObject,
  };
}

/** Returns sessions and their events: of ambiguous paths and mixed types, some with more values than are indexed. */
export function randomSessions(random: () => number, sessions: number): Partial<Event>[] {
  return Array.from({ length: sessions }, () => {
    const session_id = randomUUID();
    const origin = pick(random, ['sent', 'synthesised'] as const);
    const session = {
      ...randomFields(random),
      event_type: 'session',
      event_id: session_id,
      session_id,
      origin,
    } as const;
    const children = Array.from({ length: Math.floor(random() * 6) }, (): Partial<Event> => {
      const fields = randomFields(random);
      const usage = { cost: random() / 10, total_tokens: Math.floor(random() * 99), prompt_tokens: 3 };
      const metadata = random() < 0.6 ? { ...fields.metadata, ...usage } : fields.metadata;
      const event_type = pick(random, ['model', 'tool', 'chain'] as const);
      return { ...fields, metadata, event_type, session_id, parent_id: session_id };
    });
    return [session, ...children];
  }).flat();
}
