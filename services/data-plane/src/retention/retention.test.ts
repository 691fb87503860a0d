import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExpiredEvents, ProjectRetention } from '@assay/control-plane-client';
import { acceptEvent, pendingEvaluation, type Event } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { openEmbeddedEventLog, type EventLog } from '@assay/event-log';
import type { EventStore, WriterPort } from '@assay/event-store';
import { createChdbEventStore } from '@assay/event-store/chdb';
import { encodeEventRow } from '@assay/event-rows';
import { portWith } from '@assay/event-store/test/port-with';
import { purgeAll } from '@assay/event-store/test/purge-fixture';
import { createMetrics } from '@assay/runtime';
import { silentLogger, waitFor } from '@assay/testing';
import { aReaderOf, consumed, PROJECT } from '../../test/store-batch-fixture.js';
import { makeRunInOrder } from '../shared/run-in-order.js';
import type { Rounds } from '../shared/run-rounds.js';
import { startRetention, type RetentionOptions } from './start-retention.js';

const DAY = 86_400_000;
const NOW = 1_790_000_000_000;
const OTHER = 'p2';
const FOR_A_DAY = { retention: { default: 1 }, keepReferenced: false };
const PATIENT = { withinMs: 60_000 };
const LOOKS = ['removeExpired', 'removeEvaluations', 'write'] as const;

/** The part of a control plane that decides about retention. */
class Retentions {
  projects: ProjectRetention[] = [{ projectId: PROJECT, ...FOR_A_DAY }];
  readonly kept = new Set<string>();
  readonly requests: ExpiredEvents[] = [];
  looks = 0;
  /** The next project whose call fails. */
  failsFor: string | undefined;
  readonly retentions = () => {
    this.looks++;
    return Promise.resolve({ projects: this.projects, next: null });
  };
  readonly removeExpired = (request: ExpiredEvents) => {
    if (this.failsFor === request.projectId) return Promise.reject(unavailable('unreachable'));
    this.requests.push(request);
    return Promise.resolve(request.expired.map(({ eventId }) => eventId).filter((id) => this.kept.has(id)));
  };
}

describe('events whose retention is over', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-retention-'));
  let store: EventStore;
  let log: EventLog;
  let control: Retentions;
  let runs: Rounds[] = [];
  let clock = NOW;
  beforeAll(async () => {
    store = createChdbEventStore({ dir: join(dir, 'events') });
    await store.administration.migrate();
    log = await openEmbeddedEventLog({ dir: join(dir, 'log'), logger: silentLogger });
  });
  beforeEach(() => {
    [control, clock] = [new Retentions(), NOW];
  });
  afterEach(async () => {
    for (const run of runs) await run.stop();
    runs = [];
    for (const projectId of [PROJECT, OTHER])
      await waitFor(
        'the projects to be empty',
        async () => (await store.administration.removeProject(projectId)).isComplete,
        PATIENT,
      );
  });
  afterAll(async () => {
    await store.administration.close();
    await log.close();
    rmSync(dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  function eventOf(ageDays: number, fields: object = {}, projectId = PROJECT): Event {
    const context = { projectId, now: NOW, newId: randomUUID };
    const sent = {
      event_type: 'model',
      inputs: { q: 1 },
      start_time: NOW - ageDays * DAY,
      ...fields,
    } as const;
    return acceptEvent(sent, context).event;
  }
  async function add(...events: Event[]): Promise<Event[]> {
    const rows = events.map((event, index) => ({
      bytes: Buffer.from(encodeEventRow(event)),
      version: index + 1,
    }));
    await store.writer.write({ rows, tombstones: [], changes: [], token: randomUUID() });
    return events;
  }
  const found = async (projectId = PROJECT) =>
    (
      await store.events.search(projectId, { filters: [], limit: 1_000, offset: 0, ordered: true })
    ).events.map(({ event_id }) => event_id);
  const total = async (projectId: string) =>
    (await store.events.search(projectId, { filters: [], limit: 1, offset: 0, ordered: false })).total;

  function start(options: Partial<RetentionOptions> = {}) {
    const metrics = createMetrics({ processMetrics: false });
    const run = startRetention({
      ...{ store, log, controlPlane: control, inOrder: makeRunInOrder(), forgetEvents: () => undefined },
      ...{ isOwner: () => true, logger: silentLogger, metrics, now: () => clock, everyMs: 20 },
      ...options,
    });
    runs.push(run);
    return metrics;
  }
  const looked = async (times = 2) => {
    const awaited = control.looks + times;
    await waitFor('further looks', () => control.looks >= awaited, PATIENT);
  };
  const isEmpty = (projectId = PROJECT) =>
    waitFor('the project to be empty', async () => (await total(projectId)) === 0, PATIENT);

  it('leave every read, with their evaluations, and others stay', async () => {
    const [old, young, session] = await add(
      eventOf(1.1),
      eventOf(0.9),
      eventOf(300, { event_type: 'session' }),
      eventOf(1.1, {}, OTHER),
    );
    const evaluation = (event: Event) => ({
      ...pendingEvaluation(
        { id: 'metric', version: 'v1', name: 'accuracy' },
        { fingerprint: 'f', trigger: 1, decidedAt: NOW },
      ),
      ...{ projectId: PROJECT, eventId: event.event_id, logPartition: 0 },
    });
    await store.writer.writeEvaluations([old!, young!].map(evaluation), randomUUID());
    control.projects = [
      { projectId: PROJECT, retention: { default: 1, session: 365 }, keepReferenced: false },
    ];
    const forgotten: string[] = [];
    const metrics = start({ forgetEvents: (keys) => forgotten.push(...keys) });
    await waitFor('the event is removed', async () => (await found()).length === 2, PATIENT);
    await looked();
    expect(await found()).toEqual([young!.event_id, session!.event_id]);
    expect(await total(OTHER)).toBe(1);
    expect(await store.events.find(PROJECT, old!.event_id)).toBeUndefined();
    const whole = await store.sessions.read(PROJECT, old!.session_id, 10);
    expect(whole?.events).toEqual([]);
    const keys = [old!, young!].map(({ event_id: eventId }) => ({ projectId: PROJECT, eventId }));
    const evaluations = await store.states.evaluations(keys);
    expect([...evaluations.keys()]).toEqual([`${PROJECT}/${young!.event_id}`]);
    expect(forgotten).toEqual([`${PROJECT}/${old!.event_id}`]);
    expect(control.requests.flatMap(({ expired }) => expired)).toHaveLength(1);
    const text = await metrics.text();
    expect(text).toContain('assay_expired_events_total 1\n');
    expect(text).toContain('assay_expired_late_events_total 0\n');
  });

  it('leave when the clock reaches the time, and not before', async () => {
    const [event] = await add(eventOf(0));
    clock = NOW + DAY;
    start();
    await looked();
    expect(await found()).toEqual([event!.event_id]);
    clock = NOW + DAY + 1;
    await isEmpty();
  });

  it('are not restored by an update or another delivery, whose values leave the disk as well', async () => {
    const [event] = await add(eventOf(2));
    const id = event!.event_id;
    start();
    await isEmpty();
    const reader = aReaderOf(store);
    const patch = Buffer.from('{"metrics":{"secret":1},"metadata":{"a":"b"}}');
    await reader([consumed('event', id, Buffer.from(encodeEventRow(event!))), consumed('patch', id, patch)]);
    await looked();
    expect(await found()).toEqual([]);
    await purgeAll(store);
    const key = `${PROJECT}/${id}`;
    const state = (await store.states.read([{ projectId: PROJECT, eventId: id }])).get(key);
    expect([state?.event, state?.changes?.patch]).toEqual([undefined, {}]);
    expect((await store.administration.deletedValues()).rows).toBe(0);
  });

  it('are found when they arrive late, and counted', async () => {
    await add(eventOf(1.1));
    const metrics = start();
    await isEmpty();
    await looked();
    await add(eventOf(400));
    await isEmpty();
    await waitFor(
      'the late event is counted',
      async () => (await metrics.text()).includes('assay_expired_late_events_total 1\n'),
      PATIENT,
    );
    expect(await metrics.text()).toContain('assay_expired_events_total 2\n');
  });

  it('stay while the control plane says that they are kept, with their evaluations', async () => {
    const [event] = await add(eventOf(2), eventOf(3));
    control.kept.add(event!.event_id);
    control.projects = [{ projectId: PROJECT, ...FOR_A_DAY, keepReferenced: true }];
    start();
    await waitFor('the other one is removed', async () => (await total(PROJECT)) === 1, PATIENT);
    await looked();
    expect(await found()).toEqual([event!.event_id]);
    control.kept.clear();
    await isEmpty();
  });

  it.each(LOOKS)('leave although the first %s fails, and nothing is removed in between', async (step) => {
    await add(eventOf(2), eventOf(3));
    let failures = 0;
    const writer = new Proxy(store.writer, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== step || failures > 0) return value.bind(target) as unknown;
        return () => {
          failures++;
          return Promise.reject(unavailable('killed'));
        };
      },
    });
    if (step === 'removeExpired') control.failsFor = PROJECT;
    start({ store: { ...store, writer } });
    await looked();
    if (step === 'removeExpired') {
      expect(await total(PROJECT)).toBe(2);
      control.failsFor = undefined;
    } else expect(failures).toBe(1);
    await isEmpty();
  });

  it('leave page by page in turn, so that a project with many does not delay another, nor one that fails', async () => {
    const many = Array.from({ length: 11_000 }, (_, index) => eventOf(2 + index / 10_000));
    await add(...many);
    await add(...Array.from({ length: 5 }, () => eventOf(2, {}, OTHER)));
    control.projects = ['failing', PROJECT, OTHER].map((projectId) => ({ projectId, ...FOR_A_DAY }));
    await add(eventOf(2, {}, 'failing'));
    control.failsFor = 'failing';
    const order: string[] = [];
    const write: WriterPort['write'] = (batch) => {
      order.push(batch.tombstones[0]?.projectId ?? '');
      return store.writer.write(batch);
    };
    start({ store: { ...store, writer: portWith({ write }, store.writer) } });
    await isEmpty();
    expect(order).toEqual([PROJECT, OTHER, PROJECT, PROJECT]);
    expect(await total(OTHER)).toBe(0);
    expect(await total('failing')).toBe(1);
    control.failsFor = undefined;
    await isEmpty('failing');
  });

  it('are removed by the owner alone, by the next one when it changes, and harmlessly by two owners', async () => {
    await add(...Array.from({ length: 50 }, () => eventOf(2)));
    let isOwner = false;
    let asked = 0;
    start({
      isOwner: () => {
        asked++;
        return isOwner;
      },
    });
    await waitFor('some questions', () => asked > 4, PATIENT);
    expect([control.looks, await total(PROJECT)]).toEqual([0, 50]);
    isOwner = true;
    start();
    await isEmpty();
    await looked();
    expect(await total(PROJECT)).toBe(0);
  });

  it('take the dead letters of their project along, and no others', async () => {
    const record = (offset: number) => ({
      ...{ key: `e${offset}`, value: Buffer.from('v'), headers: {}, partition: 0 },
      ...{ offset, appendedAt: NOW },
    });
    const reason = { group: 'store', errorClass: 'VALIDATION_ERROR' };
    await log.deadLetter(record(1), { ...reason, project: PROJECT });
    await log.deadLetter(record(2), { ...reason, project: OTHER });
    await log.deadLetter(record(3), reason);
    const keys = async () => (await log.deadLetters(10)).map(({ key }) => key);
    clock = Date.now() + DAY / 2;
    const metrics = start({ deadLettersEveryMs: 0 });
    await looked();
    expect(await keys()).toEqual(['e1', 'e2', 'e3']);
    clock = Date.now() + 2 * DAY;
    await waitFor('the letter is removed', async () => (await keys()).length === 2, PATIENT);
    expect((await keys()).sort()).toEqual(['e2', 'e3']);
    await waitFor(
      'it is counted',
      async () => (await metrics.text()).includes('assay_expired_dead_letters_total 1\n'),
      PATIENT,
    );
  });
});
