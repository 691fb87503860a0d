import { randomUUID } from 'node:crypto';
import { matchesFilters, withTotals, type Event, type Filter } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import { NEW_YEAR, newProject, queryOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { randomFrom } from '../random-fixture.js';

const FIELDS = [
  'start_time',
  'duration',
  'end_time',
  'metadata.num_events',
  'metadata.num_model_events',
  'metadata.num_errors',
  'metadata.cost',
  'metadata.total_tokens',
  'metadata.prompt_tokens',
  'metadata.completion_tokens',
];

/** Filters on what sessions derive from their events: they match what is returned. */
export function sessionFilterContract(store: () => EventStore): void {
  const is = (field: string, value: Filter['value'], type: Filter['type'] = 'number'): Filter => ({
    field,
    operator: 'is',
    type,
    value,
  });
  const idsOf = async (projectId: string, filters: readonly Filter[]) => {
    const { events, total } = await store().search(projectId, queryOf({ filters }));
    expect(total).toBe(events.length);
    return events.map((event) => event.event_id).sort();
  };

  function newSession(projectId: string, fields: Partial<Event>): Event {
    const id = randomUUID();
    return sampleEvent({
      project_id: projectId,
      event_id: id,
      session_id: id,
      event_type: 'session',
      end_time: null,
      duration: null,
      ...fields,
    });
  }

  it('find a session by the usage and the times of its events', async () => {
    const project_id = newProject();
    const [one, own, empty] = [{}, { metadata: { cost: 9 } }, {}].map((fields) =>
      newSession(project_id, fields),
    ) as [Event, Event, Event];
    const call = (session: Event, cost: number) =>
      sampleEvent({
        project_id,
        session_id: session.session_id,
        metadata: { cost, prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
        end_time: null,
        duration: 400,
      });
    const calls = [call(one, 1), call(one, 2), call(own, 4)];
    await writeEvents(store(), [one, own, empty, ...calls]);
    const session = is('event_type', 'session', 'string');
    expect(await idsOf(project_id, [is('metadata.cost', 3)])).toStrictEqual([one.event_id]);
    expect(await idsOf(project_id, [is('metadata.cost', 9)])).toStrictEqual([own.event_id]);
    expect(await idsOf(project_id, [is('metadata.cost', 4)])).toStrictEqual([calls[2]?.event_id]);
    expect(await idsOf(project_id, [is('metadata.num_events', 0)])).toStrictEqual([empty.event_id]);
    expect(await idsOf(project_id, [is('metadata.num_model_events', 2)])).toStrictEqual([one.event_id]);
    expect(await idsOf(project_id, [is('duration', 400), session])).toStrictEqual(
      [one.event_id, own.event_id].sort(),
    );
    expect(
      await idsOf(project_id, [is('metadata.prompt_tokens', 5), is('metadata.num_events', 1)]),
    ).toStrictEqual([own.event_id]);
    const others: Filter = { ...session, operator: 'is not' };
    expect(await idsOf(project_id, [is('metadata.prompt_tokens', 5), others])).toHaveLength(3);
  });

  it('find a synthesised session by the start that it has from an earlier event', async () => {
    const project_id = newProject();
    const session = newSession(project_id, { origin: 'synthesised' });
    const earlier = sampleEvent({
      project_id,
      session_id: session.session_id,
      start_time: NEW_YEAR - 9.5,
    });
    await writeEvents(store(), [session, earlier]);
    const sessions = is('event_type', 'session', 'string');
    const found = (start: number) => idsOf(project_id, [sessions, is('start_time', start, 'datetime')]);
    expect(await found(NEW_YEAR - 9.5)).toStrictEqual([session.event_id]);
    expect(await found(NEW_YEAR)).toStrictEqual([]);
  });

  it('agree with the in-memory filters on completed sessions', async () => {
    const seed = Date.now() % 1_000_000;
    const random = randomFrom(seed);
    const maybe = <T>(value: T) => (random() < 0.5 ? value : null);
    const whole = (below: number) => Math.floor(random() * below);
    const project_id = newProject();
    const sessions = Array.from({ length: 20 }, () =>
      newSession(project_id, {
        origin: random() < 0.5 ? 'sent' : 'synthesised',
        start_time: NEW_YEAR + whole(10),
        end_time: maybe(NEW_YEAR + whole(40)),
        duration: maybe(whole(10)),
        metadata: { cost: maybe(whole(4)), total_tokens: maybe('3'), num_events: 77 },
      }),
    );
    const children = sessions.flatMap(({ session_id }) =>
      Array.from({ length: whole(4) }, () =>
        sampleEvent({
          project_id,
          session_id,
          event_type: random() < 0.7 ? 'model' : 'tool',
          start_time: NEW_YEAR + whole(20),
          end_time: maybe(NEW_YEAR + whole(60)),
          duration: maybe(whole(30)),
          metadata: {
            cost: whole(3),
            prompt_tokens: whole(3),
            completion_tokens: whole(3),
            total_tokens: whole(6),
          },
          feedback: random() < 0.3 ? { rating: 1 } : {},
          error: random() < 0.3 ? 'failed' : null,
        }),
      ),
    );
    await writeEvents(store(), [...sessions, ...children]);
    const totals = await store().rollups(
      project_id,
      sessions.map(({ session_id }) => session_id),
    );
    const returned = [...sessions.map((one) => withTotals(one, totals.get(one.session_id))), ...children];
    const operators = ['is', 'is not', 'greater than', 'less than or equal', 'exists', 'not exists'] as const;
    const randomFilter = (): Filter => {
      if (random() < 0.15) return is('metadata.has_feedback', random() < 0.5, 'boolean');
      const field = FIELDS[whole(FIELDS.length)] ?? 'duration';
      const value = field.endsWith('_time') ? NEW_YEAR + whole(60) : whole(12);
      return { field, operator: operators[whole(operators.length)] ?? 'is', type: 'number', value };
    };
    for (let round = 0; round < 60; round++) {
      const filters = Array.from({ length: 1 + (round % 3 === 0 ? 1 : 0) }, randomFilter);
      const expected = returned
        .filter((event) => matchesFilters(event, filters))
        .map((event) => event.event_id);
      const found = await idsOf(project_id, filters);
      expect({ seed, filters, found }).toStrictEqual({ seed, filters, found: expected.sort() });
    }
  });
}
