import { randomUUID } from 'node:crypto';
import { acceptFilters, checkArrivalFilters, type FilterInput } from '@assay/domain';
import { randomFrom } from '@assay/domain/test/experiments/random-from';
import { BUCKETS, variedFilter } from '@assay/domain/test/filter-values/varied-filters';
import { pick, TEXTS, variedObject } from '@assay/domain/test/filter-values/varied-values';
import { waitFor } from '@assay/testing';
import { onStack } from '../harness/stack/on-stack.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { bitOf, FilterWays, type Ids } from './filter-ways.js';

const SESSIONS = 10;
const EVENTS = 90;
/** Filters that decide in all ways, and those that are only looked up. */
const DECIDING = 10;
const LOOKED_UP = 4;
/** Filters that are asked about at the same time: reads wait until scores are stored. A project runs as many jobs. */
const LANES = 4;
const TEST_WITHIN_MS = 600_000;
const NO_SESSIONS: FilterInput = {
  field: 'event_type',
  operator: 'is not',
  value: 'session',
  type: 'string',
};

/** Does the work on each item, on as many at a time as there are lanes. */
async function inLanes<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
  lanes = LANES,
): Promise<void> {
  const rest = [...items];
  const lane = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Filters of all kinds on events of all kinds: each way to select events selects the same ones. */
describe('a filter selects the same events in every way', () => {
  const { client } = onStack(() => startStandalone({ PYTHON_METRIC_TIMEOUT_MS: '5000' }));
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed);
  const sessions = Array.from({ length: SESSIONS }, (_, index) => variedSession(index));
  const sent = Array.from({ length: EVENTS }, (_, index) => variedEvent(SESSIONS + index));
  const known = [...sessions, ...sent];
  const filters = Array.from({ length: DECIDING + LOOKED_UP }, newFilters);
  const deciding = filters.slice(0, DECIDING).map((list, index) => ({ list, name: `online${index}` }));
  const queues: string[] = [];
  let ways: FilterWays;

  function fieldsAt(index: number) {
    const buckets = Object.fromEntries(BUCKETS.map((name) => [name, variedObject(random)]));
    const start_time = Date.now() - 3_600_000 + index;
    const { metadata, metrics, ...rest } = buckets;
    return {
      ...{ ...rest, start_time, source: pick(random, TEXTS) || 'test' },
      metadata: { ...metadata, ...bitOf(index) },
      metrics: { ...metrics, base: 1 },
    };
  }

  function variedSession(index: number) {
    const session_id = randomUUID();
    const session_name = pick(random, TEXTS) || 'session';
    return { ...fieldsAt(index), event_id: session_id, session_id, session_name };
  }

  function variedEvent(index: number) {
    return {
      ...{
        ...fieldsAt(index),
        event_id: randomUUID(),
        session_id: pick(random, sessions).session_id,
      },
      ...{ event_type: pick(random, ['model', 'tool', 'chain']), event_name: pick(random, TEXTS) || 'event' },
      ...{ duration: pick(random, [0, 5, 0.5]), error: random() < 0.3 ? pick(random, TEXTS) || null : null },
    };
  }

  /** Filters that metrics accept: those on what sessions derive are on other events. */
  function newFilters(): FilterInput[] {
    for (;;) {
      const list = Array.from({ length: random() < 0.2 ? 2 : 1 }, () => variedFilter(random, known));
      // Scores change the whole object.
      if (list.some(({ field }) => field === 'metrics')) continue;
      for (const one of [list, [...list, NO_SESSIONS]])
        try {
          acceptFilters(one, 'strict');
          checkArrivalFilters(one, 'filters');
          return one;
        } catch {
          // The next one.
        }
    }
  }

  const check = (way: string, list: readonly FilterInput[], [found, expected]: [unknown, unknown]) =>
    expect({ seed, way, list, found }).toEqual({ seed, way, list, found: expected });

  /** Decisions follow some time after the events. The ids are compared whatever they have become by then. */
  async function becomes(way: string, list: readonly FilterInput[], expected: Ids, read: () => Promise<Ids>) {
    let found: Ids = [];
    const isReached = async () => JSON.stringify((found = await read())) === JSON.stringify(expected);
    await waitFor(way, isReached, { withinMs: 180_000, pollIntervalMs: 200 }).catch(() => undefined);
    check(way, list, [found, expected]);
  }

  beforeAll(async () => {
    ways = new FilterWays(
      client,
      known.map(({ event_id: id }) => id),
    );
    for (const [index, { list, name }] of deciding.entries()) {
      await ways.createMetric(name, list, index % 2 === 0 ? 'code' : 'composite');
      queues.push(await ways.createQueue(name, list, true));
    }
    for (const session of sessions) expect((await client.post('/v1/sessions', session)).status).toBe(200);
    const batch = { events: sent, single_session: false };
    expect((await client.post('/v1/events/batch', batch)).status).toBe(200);
  }, TEST_WITHIN_MS);

  it(
    'in searches, exports, charts and drafts',
    async () => {
      const searches = filters.map((list) => ({ list, expected: ways.searched(list) }));
      const compared = inLanes(searches, async ({ list, expected }) => {
        const [exported, charted] = await Promise.all([ways.exported(list), ways.charted(list)]);
        check('export', list, [exported, await expected]);
        check('chart', list, [charted, await expected]);
      });
      // A project runs one draft at a time.
      const drafted = inLanes(
        searches,
        async ({ list, expected }) => {
          check('draft', list, [await ways.matched(list), (await expected).length]);
          check('draft by id', list, [await ways.draftedById(list), await expected]);
        },
        1,
      );
      await Promise.all([compared, drafted]);
    },
    TEST_WITHIN_MS,
  );

  it(
    'in metrics and queues when events arrive, and in jobs and backfills afterwards',
    async () => {
      await inLanes(deciding, async ({ list, name }) => {
        const index = deciding.findIndex((one) => one.name === name);
        const expected = await ways.searched(list);
        await becomes('queue', list, expected, () => ways.queued(queues[index] ?? ''));
        await becomes('metric', list, expected, () => ways.scored(name));
        const backfilled = await ways.createQueue(`backfill ${name}`, list, false);
        check('backfill', list, [await ways.backfilled(backfilled), expected]);
        await ways.evaluateStored(await ways.createMetric(`job ${name}`, list, 'job'));
        await becomes('job', list, expected, () => ways.scored(`job ${name}`));
      });
    },
    TEST_WITHIN_MS,
  );

  it(
    'in a job that is asked for sessions by what they derive from their events',
    async () => {
      const derived: FilterInput[] = [
        { field: 'event_type', operator: 'is', value: 'session', type: 'string' },
        { field: 'metadata.num_events', operator: '$gte', value: EVENTS / SESSIONS, type: 'number' },
      ];
      const expected = await ways.searched(derived);
      expect(expected).not.toEqual([]);
      await ways.evaluateStored(await ways.createMetric('derived', [], 'job'), derived);
      await becomes('job', derived, expected, () => ways.scored('derived'));
    },
    TEST_WITHIN_MS,
  );
});
