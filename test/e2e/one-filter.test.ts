import { randomUUID } from 'node:crypto';
import { acceptFilters, checkArrivalFilters, checkStoredFilters, type FilterInput } from '@assay/domain';
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
const OF_SESSIONS: FilterInput = { field: 'event_type', operator: 'is', value: 'session', type: 'string' };
/** On what sessions derive: metrics decide about these when they are quiet, and queues refuse such filters. */
const DERIVED: readonly FilterInput[][] = [
  [OF_SESSIONS, { field: 'metadata.num_events', operator: '$gte', value: EVENTS / SESSIONS, type: 'number' }],
  [{ field: 'metadata.num_errors', operator: 'less than', value: 3, type: 'number' }],
  [OF_SESSIONS, { field: 'duration', operator: '$lte', value: EVENTS - SESSIONS, type: 'number' }],
];

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
  const { client } = onStack(() =>
    startStandalone({ PYTHON_METRIC_TIMEOUT_MS: '5000', EVALUATION_SESSION_QUIET_SECONDS: '1' }),
  );
  const seed = Date.now() % 1_000_000;
  const random = randomFrom(seed);
  const sessions = Array.from({ length: SESSIONS }, (_, index) => variedSession(index));
  const sent = Array.from({ length: EVENTS }, (_, index) => variedEvent(SESSIONS + index));
  const known = [...sessions, ...sent];
  const filters = [...DERIVED, ...Array.from({ length: DECIDING + LOOKED_UP }, newFilters)];
  const deciding = filters
    .slice(0, DERIVED.length + DECIDING)
    .map((list, index) => ({ list, name: `online${index}`, job: `job${index}` }));
  const routed = deciding.filter(({ list }) => isRouted(list));
  /** Ids of the queues by the name of the filters. */
  const queues = new Map<string, string>();
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

  /** Filters that metrics accept. */
  function newFilters(): FilterInput[] {
    for (;;) {
      const list = Array.from({ length: random() < 0.2 ? 2 : 1 }, () => variedFilter(random, known));
      // Scores change the whole object.
      if (list.some(({ field }) => field === 'metrics')) continue;
      try {
        acceptFilters(list, 'strict');
        checkStoredFilters(list, 'filters');
        return list;
      } catch {
        // The next one.
      }
    }
  }

  /** Whether queues accept the filters. */
  function isRouted(list: readonly FilterInput[]): boolean {
    try {
      checkArrivalFilters(list, 'filters');
      return true;
    } catch {
      return false;
    }
  }

  const check = (way: string, list: readonly FilterInput[], [found, expected]: [unknown, unknown]) =>
    expect({ seed, way, list, found }).toEqual({ seed, way, list, found: expected });

  interface Selection {
    readonly list: readonly FilterInput[];
    readonly expected: Ids;
    /** Of what the way selects with. */
    readonly key: string;
  }

  /** Decisions follow some time after the events. The ids are compared whatever they have become by then. */
  async function become(
    way: string,
    selections: readonly Selection[],
    read: () => Promise<ReadonlyMap<string, Ids>>,
  ): Promise<void> {
    let found = new Map() as ReadonlyMap<string, Ids>;
    const isEqual = ({ key, expected }: Selection) =>
      JSON.stringify(found.get(key)) === JSON.stringify(expected);
    const isReached = async () => {
      found = await read();
      return selections.every(isEqual);
    };
    await waitFor(way, isReached, { withinMs: 180_000, pollIntervalMs: 200 }).catch(() => undefined);
    for (const { key, list, expected } of selections) check(way, list, [found.get(key), expected]);
  }

  /** What the queues have. One that has what it should is not read again. */
  function queuedReader(selections: readonly Selection[]): () => Promise<ReadonlyMap<string, Ids>> {
    const complete = new Map<string, Ids>();
    return async () => {
      const found = new Map(complete);
      await inLanes(
        selections.filter(({ key }) => !complete.has(key)),
        async ({ key, expected }) => {
          const ids = await ways.queued(queues.get(key) ?? '');
          found.set(key, ids);
          if (JSON.stringify(ids) === JSON.stringify(expected)) complete.set(key, ids);
        },
      );
      return found;
    };
  }

  beforeAll(async () => {
    ways = new FilterWays(
      client,
      known.map(({ event_id: id }) => id),
    );
    await inLanes([...deciding.entries()], async ([index, { list, name }]) => {
      await ways.createMetric(name, list, index % 2 === 0 ? 'code' : 'composite');
    });
    await inLanes(routed, async ({ list, name }) => {
      queues.set(name, await ways.createQueue(name, list, true));
    });
    await inLanes(sessions, async (session) => {
      expect((await client.post('/v1/sessions', session)).status).toBe(200);
    });
    const batch = { events: sent, single_session: false };
    expect((await client.post('/v1/events/batch', batch)).status).toBe(200);
  }, TEST_WITHIN_MS);

  it(
    'in searches, exports, charts and drafts',
    async () => {
      const searches: { readonly list: readonly FilterInput[]; readonly expected: Ids }[] = [];
      await inLanes(filters, async (list) => {
        const expected = await ways.searched(list);
        searches.push({ list, expected });
        check('export', list, [await ways.exported(list), expected]);
        check('chart', list, [await ways.charted(list), expected]);
      });
      // A project runs one draft at a time.
      const draft = async ({ list, expected }: (typeof searches)[number]) => {
        check('draft', list, [await ways.matched(list), expected.length]);
        check('draft by id', list, [await ways.draftedById(list), expected]);
      };
      await inLanes(searches, draft, 1);
    },
    TEST_WITHIN_MS,
  );

  it(
    'in metrics and queues when events arrive or sessions are quiet, and in jobs and backfills afterwards',
    async () => {
      const expected = new Map<string, Ids>();
      await inLanes(deciding, async ({ list, name }) => {
        expected.set(name, await ways.searched(list));
      });
      const select = (items: readonly (typeof deciding)[number][], keyOf: 'name' | 'job') =>
        items.map((item): Selection => ({
          ...{ list: item.list, key: item[keyOf], expected: expected.get(item.name) ?? [] },
        }));
      expect(expected.get(deciding[0]?.name ?? '')).not.toEqual([]);
      const metrics = deciding.map(({ name }) => name);
      await become('metric', select(deciding, 'name'), () => ways.scored(metrics));
      await become('queue', select(routed, 'name'), queuedReader(select(routed, 'name')));
      await inLanes(select(routed, 'name'), async ({ list, key, expected: ids }) => {
        const backfilled = await ways.createQueue(`backfill ${key}`, list, false);
        check('backfill', list, [await ways.backfilled(backfilled), ids]);
      });
      await inLanes(deciding, async ({ list, job }) => {
        await ways.evaluateStored(await ways.createMetric(job, list, 'job'));
      });
      // The filters of a job are a search, also by what sessions derive.
      const [derived = []] = DERIVED;
      await ways.evaluateStored(await ways.createMetric('asked', [], 'job'), derived);
      const asked = { list: derived, key: 'asked', expected: expected.get(deciding[0]?.name ?? '') ?? [] };
      const jobs = [...deciding.map(({ job }) => job), asked.key];
      await become('job', [...select(deciding, 'job'), asked], () => ways.scored(jobs));
    },
    TEST_WITHIN_MS,
  );
});
