import { randomUUID } from 'node:crypto';
import { acceptFilters, matchesFilters, type Event, type Filter, type FilterInput } from '@assay/domain';
import { variedFilter, BUCKETS } from '@assay/domain/test/filter-values/varied-filters';
import { pick, TEXTS, variedObject, type Random } from '@assay/domain/test/filter-values/varied-values';
import type { EventStore } from '../../src/event-store.js';
import { decodeEventRow } from '../../src/rows/index.js';
import { NEW_YEAR, newProject, queryOf, rowOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomFrom } from '../random-fixture.js';

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
      const found = await store().search(project_id, queryOf({ filters, limit: EVENTS, ordered: false }));
      const ids = new Set(found.events.map(({ event_id: id }) => id));
      const other = events.find((event) => ids.has(event.event_id) !== matchesFilters(event, filters));
      if (other) wrong.push({ inputs, isFound: ids.has(other.event_id), event: fieldsOf(other, filters) });
    }
    expect({ seed, wrong }).toStrictEqual({ seed, wrong: [] });
  });
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
