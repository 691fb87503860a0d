import { randomUUID } from 'node:crypto';
import {
  acceptFilters,
  matchesFilters,
  type Event,
  type Filter,
  type FilterInput,
  type JsonValue,
} from '@assay/domain';
import { variedFilter, BUCKETS } from '@assay/domain/test/filter-values/varied-filters';
import { pick, TEXTS, variedObject, type Random } from '@assay/domain/test/filter-values/varied-values';
import type { EventStore } from '../../src/event-store.js';
import { decodeEventRow } from '@assay/event-rows';
import { NEW_YEAR, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomFrom } from '@assay/event-rows/test/random-fixture';

const EVENTS = 200;
// A search costs about 30 ms of CPU.
const ROUNDS = 120;

/** One meaning of filters: what the matcher says of an event when it arrives, a search says of it when it is stored. */
export function filterValuesContract(store: () => EventStore): void {
  it('select the events that they match when these arrive, whatever their values and paths', async () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    const project_id = newProject();
    const sent = Array.from({ length: EVENTS }, () => variedEvent(random, project_id));
    await writeEvents(store(), sent);
    // An evaluator reads the row of the log, which has no halves of surrogate pairs.
    const events = sent.map((event) => decodeEventRow(rowOf(event, 1).bytes));
    const wrong: object[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const inputs = Array.from({ length: round % 5 === 0 ? 2 : 1 }, () => variedFilter(random, sent));
      const filters = accepted(inputs);
      if (filters === undefined) continue;
      const found = await store().events.search(
        project_id,
        queryOf({ filters, limit: EVENTS, ordered: false }),
      );
      const ids = new Set(found.events.map(({ event_id: id }) => id));
      const other = events.find((event) => ids.has(event.event_id) !== matchesFilters(event, filters));
      if (other) wrong.push({ inputs, isFound: ids.has(other.event_id), event: fieldsOf(other, filters) });
    }
    expect({ seed, wrong }).toStrictEqual({ seed, wrong: [] });
  });

  it('compare a value within objects and lists with its JSON, whatever numbers and characters that has', async () => {
    const values = groupsOf([...WRITTEN_DIFFERENTLY.flatMap(jsonOf), ...NO_JSON]);
    const fields = ['inputs.o', 'inputs.l[*]', 'inputs.l[1]', 'outputs'];
    expect(await foundOtherwise(store(), { operator: 'in', fields, values })).toStrictEqual([]);
  });

  it('find the same parts of numbers and texts, wherever these are within objects and lists', async () => {
    const fields = ['inputs', 'inputs.o', 'inputs.l[*]', 'outputs.v'];
    expect(await foundOtherwise(store(), { operator: 'contains', fields, values: PARTS })).toStrictEqual([]);
  });
}

interface Asked {
  readonly operator: 'in' | 'contains';
  readonly fields: readonly string[];
  readonly values: readonly JsonValue[];
}

/** Writes events with the values of {@link WRITTEN_DIFFERENTLY}, and returns the filters that find others of them than the matcher. */
async function foundOtherwise(store: EventStore, { operator, fields, values }: Asked): Promise<object[]> {
  const project_id = newProject();
  const sent = WRITTEN_DIFFERENTLY.map((v) =>
    sampleEvent({
      project_id,
      event_id: randomUUID(),
      inputs: { o: { v }, l: [{ v }, v] },
      outputs: { v },
    }),
  );
  await writeEvents(store, sent);
  const events = sent.map((event) => decodeEventRow(rowOf(event, 1).bytes));
  const wrong: object[] = [];
  for (const field of fields)
    for (const value of values) {
      const filters = acceptFilters([{ field, operator, type: 'string', value }], 'strict');
      const found = await store.events.search(
        project_id,
        queryOf({ filters, limit: EVENTS, ordered: false }),
      );
      const ids = new Set(found.events.map(({ event_id: id }) => id));
      const other = events.find((event) => ids.has(event.event_id) !== matchesFilters(event, filters));
      if (other) wrong.push({ field, value, isFound: ids.has(other.event_id), outputs: other.outputs });
    }
  return wrong;
}

/** Parts of the numbers of {@link WRITTEN_DIFFERENTLY} as they were sent, as their nearest doubles, and as the engine writes these. */
const PARTS = [
  ...['12345678901234567890123', '890124', '12345678901234567000000', '567000000', '18446744073709551615'],
  ...['18446744073709551616', '551616', '552000', '775808', '100000000000000000000', '1e+20', '1e+21'],
  ...['1e21', 'e+300', '5e-7', '0.000001', 'e+25', '.125', 'TRUE', '-1'],
];

/** Values that the engine writes in another way than `JSON.stringify`. */
const WRITTEN_DIFFERENTLY: readonly JsonValue[] = [
  ...[1e20, -1e20, 1e21, 1.5e300, 5e-7, 1e-6, 123_456_789.125, 2 ** 63, -(2 ** 63), 1.2345678901234567e25],
  ...[12345678901234567890123n, 12345678901234567890124n, 18446744073709551615n, 18446744073709551616n],
  ...['\u001b[1m', '\u000b \u0007', 'a\u2028b\u2029c', '/a\\b"c', '\ttab\n', '{"v":1e21}', true],
];

function jsonOf(v: JsonValue): string[] {
  return [JSON.stringify({ v }), JSON.stringify(v)];
}

/** Texts that no value has as its JSON. */
const NO_JSON = ['{"v":1e21}', '{"v":1e+20}', '{"v":1.50}', '{"v": true}', String.raw`{"v":"\u001B"}`];

/** Returns groups of texts, of which no two are in the same ones: by the binary digits of their numbers. */
function groupsOf(texts: readonly string[]): string[][] {
  const digits = Math.ceil(Math.log2(texts.length + 1));
  return Array.from({ length: digits }, (_, digit) =>
    texts.filter((_text, index) => ((index + 1) >> digit) & 1),
  );
}

/** The fields that the filters read, for the message of a failure. */
function fieldsOf(event: Event, filters: readonly Filter[]): object {
  const roots = filters.map(({ field }) => /^\w+/.exec(field)?.[0] ?? '');
  return Object.fromEntries(Object.entries(event).filter(([name]) => roots.includes(name)));
}

/** Undefined for filters that a request is refused with. */
function accepted(inputs: readonly FilterInput[]): Filter[] | undefined {
  try {
    return acceptFilters(inputs, 'lenient');
  } catch {
    return undefined;
  }
}

function variedEvent(random: Random, project_id: string): Event {
  const buckets = Object.fromEntries(BUCKETS.map((name) => [name, variedObject(random)]));
  const duration = pick(random, [null, 0, 5, 0.5]);
  return sampleEvent({
    ...buckets,
    ...{ project_id, event_id: randomUUID(), duration, end_time: null },
    ...{
      start_time: NEW_YEAR + Math.floor(random() * 3) * 43_200_000,
      event_name: pick(random, TEXTS) || 'name',
    },
    ...{ error: random() < 0.3 ? pick(random, TEXTS) : null, source: pick(random, TEXTS) || 'test' },
  });
}
