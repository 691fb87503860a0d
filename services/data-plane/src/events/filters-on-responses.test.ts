import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';
import { naivelyMatches, naiveValue, type SentFilter } from '../../test/naive-filter.js';
import { pick, randomSessions, seededRandom } from '../../test/random-events.js';
import { serveRuns, type ServedRuns } from '../../test/run-fixture.js';

// Bounds of the time, since each filter costs a scan; the seed is another one in each run.
const SESSIONS = 6;
const ROUNDS = 12;
/** Values of an event that become filters, beside those that sessions derive from their events. */
const VALUES_PER_EVENT = 4;
const DERIVED =
  /^(start_time|end_time|duration|metadata\.(num_\w+|has_feedback|cost|(total|prompt|completion)_tokens))$/;
/** The same on every event, and no fields of stored events. */
const OF_THE_INSTALLATION: readonly string[] = ['project', 'org_id', 'workspace_id'];

const OPERATORS = {
  string: ['exists', 'not exists', 'is', 'is not', 'contains', 'not contains'],
  number: ['is', 'is not', 'greater than', 'less than', 'greater than or equal', 'less than or equal'],
  boolean: ['exists', 'not exists', 'is'],
  datetime: ['is', 'is not', 'after', 'before', 'greater than or equal', 'less than or equal'],
} as const;

/** What a search responds with is what its filters compare: the numbers that a client sees select what it saw them on. */
describe('filters on what a search responds with', () => {
  const seed = Date.now() % 1_000_000;
  const random = seededRandom(seed);
  let served: ServedRuns;
  let events: JsonObject[];
  beforeAll(async () => {
    served = await serveRuns();
    await served.add(randomSessions(random, SESSIONS));
    const { body } = await respond('/v1/events/search', { limit: 1_000 });
    events = body['events'] as JsonObject[];
  });
  afterAll(() => served.stop());

  async function respond(path: string, request: object) {
    const response = await served.call(path, { method: 'POST', body: JSON.stringify(request) });
    expect({ seed, request, ...response, headers: null }).toMatchObject({ status: 200 });
    return response;
  }

  /** Ids of the events that satisfy filters. */
  async function search(filters: readonly object[]): Promise<JsonValue[]> {
    const { body } = await respond('/v1/events/page', {
      filters,
      limit: 500,
      columns: ['event_id'],
      count: 'none',
    });
    return idsOf(body['events'] as JsonObject[]);
  }

  const idsOf = (found: readonly JsonObject[]) => found.map(({ event_id = null }) => event_id).sort();

  /** Every number, text and boolean of an event with the field that names it. */
  function leavesOf(value: JsonValue, path: readonly string[] = []): { field: string; value: JsonValue }[] {
    if (isJsonObject(value))
      return Object.entries(value).flatMap(([key, at]) => leavesOf(at, [...path, key]));
    return value === null || Array.isArray(value) ? [] : [{ field: path.join('.'), value }];
  }

  it('find an event by each of its numbers, texts and booleans', async () => {
    for (const [index, event] of events.entries()) {
      const filters = filtersOn(event, index);
      const isFound = async (some: readonly object[]) =>
        (await search(some)).includes(event['event_id'] ?? null);
      if (await isFound(filters)) continue;
      const missing: object[] = [];
      for (const filter of filters) if (!(await isFound([filter]))) missing.push(filter);
      expect({ seed, event, missing }).toEqual({ seed, event, missing: [] });
    }
  });

  /**
   * Filters on values of an event: a part of those that sessions derive, since each is a statement over all events, and
   * some others. Of keys with dots a field may name another value of the event.
   */
  function filtersOn(event: JsonObject, index: number): { field: string; value: JsonValue }[] {
    const leaves = leavesOf(event)
      .filter(({ field, value }) => naiveValue(event, field) === value)
      .filter(({ field }) => !OF_THE_INSTALLATION.includes(field));
    const others = leaves.filter(({ field }) => !DERIVED.test(field));
    const some = Array.from({ length: VALUES_PER_EVENT }, () => pick(random, others));
    const derived = leaves.filter(({ field }) => DERIVED.test(field));
    const isSession = event['event_type'] === 'session';
    const part = isSession ? derived.filter((_, at) => (at + index) % 4 === 0) : derived;
    // Without it the statements would look at the events of every session.
    const own = isSession ? [] : leaves.filter(({ field }) => field === 'event_type');
    return [...own, ...part, ...new Set(some)];
  }

  /** A filter on a field of some event, with the value that another one has there, perhaps sent as text. */
  function randomFilter(): SentFilter {
    const { field } = pick(random, leavesOf(pick(random, events)));
    const type = pick(random, ['string', 'number', 'boolean', 'datetime'] as const);
    const operator = pick(random, OPERATORS[type]);
    if (operator.endsWith('exists')) return { field, type, operator };
    const value = valueOf(type, field);
    return { field, type, operator, value: random() < 0.3 ? String(value) : value };
  }

  function valueOf(type: keyof typeof OPERATORS, field: string): string | number | boolean {
    const there = naiveValue(pick(random, events), field);
    if (type === 'string') return typeof there === 'string' ? there : pick(random, ['x', 'e', '5', 'true']);
    if (type === 'boolean') return random() < 0.5;
    const isTime = type === 'datetime';
    if (typeof there === 'number' && (!isTime || there < 1e14)) return there;
    return isTime
      ? pick(random, ['2026-01-01', '2026-01-01T00:00:00Z'])
      : pick(random, [0, 5, 0.5, -300, 1e21]);
  }

  it('agree with a naive implementation on the JSON of the responses', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const filters = Array.from({ length: 1 + (round % 2) }, randomFilter).filter(
        ({ field }) => field !== '' && !OF_THE_INSTALLATION.includes(field.split('.')[0] ?? ''),
      );
      const expected = events.filter((event) => filters.every((filter) => naivelyMatches(event, filter)));
      const found = await search(filters);
      expect({ seed, filters, found }).toEqual({ seed, filters, found: idsOf(expected) });
    }
  });

  it('find nothing below a count that a session derives, and what stands there on other events', async () => {
    const metadata = { num_events: { b: { c: 7 } } };
    const id = (digit: number) => `7${digit}000000-0000-4000-8000-000000000000`;
    await served.add([
      { event_id: id(1), session_id: id(1), event_type: 'session', metadata },
      { event_id: id(2), session_id: id(1), event_type: 'model', metadata },
      { event_id: id(3), session_id: id(3), event_type: 'session', metadata: { 'num_events.b': { c: 7 } } },
    ]);
    const field = 'metadata.num_events.b.c';
    expect(await search([{ field, operator: 'is', value: 7 }])).toEqual([id(2), id(3)]);
    expect(await search([{ field, operator: 'exists' }])).toEqual(expect.arrayContaining([id(2), id(3)]));
    expect(await search([{ field, operator: 'not exists' }])).toContain(id(1));
  });
});
