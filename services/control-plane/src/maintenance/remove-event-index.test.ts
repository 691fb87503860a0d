import { forwardedSession } from '@assay/control-plane-client/test/control-plane-contract';
import { type StartedControlPlane, startControlPlane } from '../../test/started-control-plane.js';
import { DELETED_EVENT_COLLECTION, type DeletedEventFields } from '../events/deleted-event.js';
import { SESSION_COLLECTION, type SessionFields } from '../sessions/session-document.js';
import { EVENT_INDEX_COLLECTION, makeRemoveEventIndex } from './remove-event-index.js';

const PROJECT = 'p1';
const SESSION = '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e';

describe('the event index of earlier releases', () => {
  let started: StartedControlPlane;
  beforeEach(async () => {
    started = await startControlPlane();
    const index = await started.documents.collection<object>(EVENT_INDEX_COLLECTION);
    const event = (n: number) => ({
      project_id: PROJECT,
      event_id: `e${n}`,
      session_id: SESSION,
      deleted: false,
    });
    const documents = Array.from({ length: 990 }, (_, n) => ({ id: `${PROJECT}:e${n}`, fields: event(n) }));
    await index.insertMissing(documents);
    const tombstone = { project_id: PROJECT, event_id: SESSION, event_version: 7, deleted: true };
    await index.insert(`${PROJECT}:${SESSION}`, tombstone);
    await index.insert(`p2:e1`, { ...event(1), project_id: 'p2' });
  });
  afterEach(() => started.stop());

  const left = async () => (await started.documents.collection(EVENT_INDEX_COLLECTION)).count({});

  it('is removed in steps, by several processes and after interruptions, and its tombstones stay in effect', async () => {
    const steps = (count: number) => () => count-- <= 0;
    await makeRemoveEventIndex(started.deps)(steps(1));
    expect(await left()).toBe(492);
    await Promise.all([started.removeEventIndex(), makeRemoveEventIndex(started.deps)()]);
    expect(await left()).toBe(0);
    const deleted = await started.documents.collection<DeletedEventFields>(DELETED_EVENT_COLLECTION);
    expect(await deleted.count({})).toBe(1);
    expect(await deleted.get(`${PROJECT}:${SESSION}`)).toMatchObject({ event_id: SESSION, event_version: 7 });
    await started.controlPlane.forwardEvents([forwardedSession(PROJECT, 9, { session_id: SESSION })]);
    const sessions = await started.documents.collection<SessionFields>(SESSION_COLLECTION);
    expect(await sessions.count({})).toBe(0);
  });

  it('is removed by the first round of maintenance', async () => {
    started.maintenance.start();
    await started.maintenance.stop();
    started.maintenance.start();
    while ((await left()) > 0) await new Promise((resume) => setImmediate(resume));
    await started.maintenance.stop();
    expect(await left()).toBe(0);
  });
});
