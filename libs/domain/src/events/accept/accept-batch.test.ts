import type { AcceptContext } from './accept-event.js';
import { acceptBatch, acceptBatchSteps } from './accept-batch.js';
import { acceptSession } from './accept-session.js';
import { synthesiseSession } from './synthesise-session.js';

const ID = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';
const OTHER_ID = '1c6fad1d-8f1b-4a7f-8d2c-4f2f9f1b2e3f';

function context(): AcceptContext {
  let made = 0;
  return {
    projectId: 'p',
    now: 1000,
    newId: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
  };
}
const tool = { event_type: 'tool', inputs: {} } as const;

describe('a batch', () => {
  it('preserves the order and gives each event its own session', () => {
    const { events, session, sessionId } = acceptBatch(
      {
        events: [
          { ...tool, session_id: ID },
          { ...tool, event_name: 'b' },
        ],
      },
      context(),
    );
    expect(events.map(({ event }) => event.event_name)).toEqual(['unknown', 'b']);
    expect(new Set(events.map(({ event }) => event.session_id)).size).toBe(2);
    expect(session).toBeUndefined();
    expect(sessionId).toBe(ID);
  });

  it('is accepted in steps, one for each event', () => {
    const accepting = acceptBatchSteps({ events: [tool, tool, tool], single_session: true }, context());
    let steps = 0;
    for (; accepting.next().done !== true;) steps++;
    expect(steps).toBe(3);
  });

  it('is rejected when it is empty', () => {
    expect(() => acceptBatch({ events: [] }, context())).toThrow('events must hold at least one event');
    expect(() => acceptBatch({ events: [], single_session: true }, context())).toThrow('events must hold');
  });

  it('is rejected as a whole, naming the event', () => {
    expect(() => acceptBatch({ events: [tool, tool, { ...tool, event_id: 'x' }] }, context())).toThrow(
      /^events\[2\]\.event_id/,
    );
    const sessionProperties = { start_time: -1 };
    expect(() =>
      acceptBatch({ events: [tool], single_session: true, session_properties: sessionProperties }, context()),
    ).toThrow(/^session_properties\.start_time/);
  });

  it('shares one session that its properties describe', () => {
    const batch = acceptBatch(
      {
        events: [
          { ...tool, start_time: 70, session_id: OTHER_ID },
          { ...tool, start_time: 50 },
        ],
        single_session: true,
        session_properties: { session_name: 'chat', metadata: { a: 1 } },
      },
      context(),
    );
    expect(batch.session).toMatchObject({
      fresh: false,
      event: { event_id: OTHER_ID, event_name: 'chat', start_time: 50, metadata: { a: 1 } },
    });
    expect(batch.events.map(({ event }) => event.session_id)).toEqual([OTHER_ID, OTHER_ID]);
    expect(batch.events.map(({ event }) => event.parent_id)).toEqual([OTHER_ID, OTHER_ID]);
    expect(batch.sessionId).toBe(OTHER_ID);
  });

  it('shares a new session when no id was given', () => {
    const batch = acceptBatch(
      { events: [tool, tool], single_session: true, session_properties: {} },
      context(),
    );
    expect(batch.session).toMatchObject({
      fresh: true,
      event: { event_id: batch.sessionId, event_type: 'session' },
    });
    expect(batch.events.map(({ event }) => event.session_id)).toEqual([batch.sessionId, batch.sessionId]);
  });

  it('uses the id of its properties before those of its events', () => {
    const properties = { session_id: ID.toUpperCase() };
    const batch = acceptBatch(
      { events: [{ ...tool, session_id: OTHER_ID }], single_session: true, session_properties: properties },
      context(),
    );
    expect(batch.sessionId).toBe(ID);
  });

  it('uses the session among its events', () => {
    const events = [tool, { event_type: 'session', event_id: ID, inputs: {} } as const];
    const batch = acceptBatch({ events, single_session: true }, context());
    expect(batch.session).toBeUndefined();
    expect(batch.events.map(({ event }) => event.session_id)).toEqual([ID, ID]);
  });

  it('uses the session in the path of the request', () => {
    const batch = acceptBatch({ events: [{ ...tool, session_id: OTHER_ID }], sessionId: ID }, context());
    expect(batch.events[0]?.event.session_id).toBe(ID);
    expect(batch.sessionId).toBe(ID);
  });
});

describe('a session', () => {
  it('can be started with nothing', () => {
    const { event, fresh } = acceptSession({}, context());
    expect(event).toMatchObject({
      event_type: 'session',
      event_name: 'unknown',
      start_time: 1000,
      parent_id: null,
    });
    expect(event.session_id).toBe(event.event_id);
    expect(fresh).toBe(true);
  });

  it('starts now if its start is not a number, and has no end if its end is not a number', () => {
    const { event } = acceptSession({ start_time: '2026-11-01T00:00:00Z', end_time: {} }, context());
    expect(event).toMatchObject({ start_time: 1000, end_time: null, duration: null });
    const batch = {
      events: [{ ...tool, start_time: 50 }],
      single_session: true,
      session_properties: { start_time: null },
    };
    expect(acceptBatch(batch, context()).session?.event.start_time).toBe(50);
    expect(() => acceptSession({ start_time: -1 }, context())).toThrow(
      'start_time must be a time in Unix milliseconds, not negative',
    );
  });

  it('is named by session_name, else by event_name', () => {
    expect(acceptSession({ session_name: 'a', event_name: 'b' }, context()).event.event_name).toBe('a');
    expect(acceptSession({ event_name: 'b' }, context()).event.event_name).toBe('b');
  });

  it('has the id of session_id, else of event_id', () => {
    expect(acceptSession({ session_id: ID, event_id: OTHER_ID }, context()).event.event_id).toBe(ID);
    expect(acceptSession({ event_id: OTHER_ID }, context()).event.session_id).toBe(OTHER_ID);
    expect(() => acceptSession({ session_id: '7' }, context())).toThrow(/^session_id must be a UUID/);
  });

  it('that no client sent spans its events', () => {
    const { events } = acceptBatch(
      {
        events: [
          { ...tool, start_time: 70, end_time: 75, source: 'late' },
          { ...tool, start_time: 50, end_time: 60, source: 'prod' },
        ],
        sessionId: ID,
      },
      context(),
    );
    const [first, second] = events.map(({ event }) => event);
    if (first === undefined || second === undefined) throw new Error('two events were sent');
    expect(synthesiseSession([first, second])).toMatchObject({
      event_id: ID,
      session_id: ID,
      event_name: 'unknown',
      source: 'prod',
      start_time: 50,
      end_time: 75,
      duration: 25,
      origin: 'synthesised',
    });
  });
});
