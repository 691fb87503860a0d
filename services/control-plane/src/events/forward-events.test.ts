import { forwardedEvent, forwardedSession } from '@assay/control-plane-client/test/control-plane-contract';
import type { ForwardedSession } from '@assay/control-plane-client';
import {
  SESSION_COLLECTION,
  type SessionCollection,
  type SessionFields,
} from '../sessions/session-document.js';
import { type StartedControlPlane, startControlPlane } from '../../test/started-control-plane.js';
import {
  DELETED_EVENT_COLLECTION,
  type DeletedEventCollection,
  type DeletedEventFields,
} from './deleted-event.js';
import { eventDocumentId } from '../shared/forwarded-documents.js';
import { makeForwardEvents } from './forward-events.js';

const PROJECT = 'p1';

/** Returns the collection with a list of its calls. */
function watching<Collection extends object>(collection: Collection) {
  const asked: string[] = [];
  const watched = new Proxy(collection, {
    get(target, name) {
      asked.push(String(name));
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { watched, asked };
}

describe('a forwarded session in the control plane', () => {
  let started: StartedControlPlane;
  let sessions: SessionCollection;
  let deletedEvents: DeletedEventCollection;
  beforeEach(async () => {
    started = await startControlPlane();
    sessions = await started.documents.collection<SessionFields>(SESSION_COLLECTION);
    deletedEvents = await started.documents.collection<DeletedEventFields>(DELETED_EVENT_COLLECTION);
  });
  afterEach(() => started.stop());

  const documentOf = ({ summary }: ForwardedSession) =>
    sessions.get(eventDocumentId(PROJECT, summary.session_id));
  const forward = (...forwarded: ForwardedSession[]) => started.controlPlane.forwardEvents(forwarded);

  it('is stored with a closed list of fields', async () => {
    const forwarded = forwardedSession(PROJECT, 7, { run_ids: ['r1', 'r"2'] });
    const summary = { ...forwarded.summary, secret: 'x' };
    await forward({ ...forwarded, summary });
    const { id, version, ...stored } = (await documentOf(forwarded))!;
    expect([id, version]).toEqual([`${PROJECT}:${summary.session_id}`, 1]);
    expect(stored).toEqual({
      session_name: 'chat',
      start_time: summary.start_time,
      names: [['model', 'ask', 1]],
      run_ids: ['r1', 'r"2'],
      project_id: PROJECT,
      watermark: '7',
      is_listed: true,
      has_runs: true,
      run_key: String.raw`"r1","r\"2",`,
      source_key: 'test',
      usage_key: 'd,2026-09-21,1,1,1,0,0,0,0,0,',
    });
  });

  it('is written once, however often it is forwarded', async () => {
    const forwarded = forwardedSession(PROJECT, 7);
    for (let time = 0; time < 3; time++) await forward(forwarded);
    expect((await documentOf(forwarded))?.version).toBe(1);
  });

  it('is replaced when its watermark is forwarded again, because the first may have been read during a write', async () => {
    const forwarded = forwardedSession(PROJECT, 7);
    await forward(forwarded);
    await forward({ ...forwarded, summary: { ...forwarded.summary, num_errors: 1 } });
    expect(await documentOf(forwarded)).toMatchObject({ num_errors: 1 });
  });

  it('is replaced by a tombstone when it is deleted, and leaves no document of an event', async () => {
    const forwarded = forwardedSession(PROJECT, 7, { session_name: 'gone' });
    const eventId = forwarded.summary.session_id;
    await forward(forwarded);
    await started.controlPlane.forwardEvents([forwardedEvent(PROJECT, 8, { session_id: eventId })]);
    await started.controlPlane.forwardEvents([{ kind: 'delete', version: 9, projectId: PROJECT, eventId }]);
    expect(await documentOf(forwarded)).toBeUndefined();
    expect(await deletedEvents.get(eventDocumentId(PROJECT, eventId))).toMatchObject({
      project_id: PROJECT,
      event_id: eventId,
      event_version: 9,
    });
    expect([await sessions.count({}), await deletedEvents.count({})]).toEqual([0, 1]);
  });

  it('takes as many round trips for hundreds of sessions as for one', async () => {
    const tripsFor = async (forwarded: readonly ForwardedSession[]): Promise<string[]> => {
      const { watched, asked } = watching(sessions);
      const tombstones = watching(deletedEvents);
      const forwardEvents = makeForwardEvents({
        sessions: watched,
        deletedEvents: tombstones.watched,
        routeToQueues: async () => {},
        removeFromQueues: async () => {},
      });
      await forwardEvents(forwarded);
      return [...asked, ...tombstones.asked];
    };
    const forwarded = Array.from({ length: 400 }, (_, watermark) => forwardedSession(PROJECT, watermark));
    expect(await tripsFor(forwarded)).toEqual(await tripsFor([forwardedSession(PROJECT, 1)]));
    expect(await tripsFor(forwarded)).not.toContain('replace');
    expect(await sessions.count({})).toBe(401);
  });

  it('keeps the newest state when states are forwarded concurrently', async () => {
    const forwarded = forwardedSession(PROJECT, 0);
    const states = Array.from({ length: 30 }, (_, n) => ({ ...forwarded, watermark: String((n * 7) % 30) }));
    await Promise.all(states.map((one) => forward(one)));
    expect(await documentOf(forwarded)).toMatchObject({ watermark: '29' });
  });

  it('stays deleted when it is deleted and forwarded concurrently', async () => {
    const all = Array.from({ length: 20 }, (_, n) => forwardedSession(PROJECT, n));
    await Promise.all(
      all.flatMap((session) => {
        const eventId = session.summary.session_id;
        const deleted = { kind: 'delete', version: 1, projectId: PROJECT, eventId } as const;
        return [forward(session), started.controlPlane.forwardEvents([deleted]), forward(session)];
      }),
    );
    expect(await sessions.count({})).toBe(0);
  });
});
