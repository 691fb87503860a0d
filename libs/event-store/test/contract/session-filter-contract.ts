import { matchesFilters, type Event, type Filter } from '@assay/domain';
import type { EventStore } from '../../src/event-store.js';
import { NEW_YEAR, newProject, queryOf, sampleEvent, writeEvents } from '../event-fixture.js';
import { newSession, writeRandomSessions } from '../session-fixture.js';

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
    const { events, total } = await store().events.search(projectId, queryOf({ filters }));
    expect(total).toBe(events.length);
    return events.map((event) => event.event_id).sort();
  };

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
    const { seed, random, project_id, returned } = await writeRandomSessions(store());
    const whole = (below: number) => Math.floor(random() * below);
    const operators = ['is', 'is not', 'greater than', 'less than or equal', 'exists', 'not exists'] as const;
    const randomFilter = (): Filter => {
      if (random() < 0.15) return is('metadata.has_feedback', random() < 0.5, 'boolean');
      const field = FIELDS[whole(FIELDS.length)] ?? 'duration';
      const value = field.endsWith('_time') ? NEW_YEAR + whole(60) : whole(12);
      return { field, operator: operators[whole(operators.length)] ?? 'is', type: 'number', value };
    };
    for (let round = 0; round < 60; round++) {
      const filters = Array.from({ length: 1 + (round % 3 === 0 ? whole(4) : 0) }, randomFilter);
      const expected = returned
        .filter((event) => matchesFilters(event, filters))
        .map((event) => event.event_id);
      const found = await idsOf(project_id, filters);
      expect({ seed, filters, found }).toStrictEqual({ seed, filters, found: expected.sort() });
    }
  });
}
