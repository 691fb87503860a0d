import type { ControlPlane, JobProgress } from '@assay/control-plane-client';
import { NO_COUNTS, type BackfillJob, type Event, type Filter } from '@assay/domain';
import { unavailable } from '@assay/errors';
import { waitFor } from '@assay/testing';
import { CONTEXT, startStoredEvents, type StoredEvents } from '../../test/stored-events.js';
import { makeBackfillQueue } from './backfill-queue.js';
import { startBackfills } from './start-backfills.js';

const FILTERS: Filter[] = [{ field: 'event_name', operator: 'is', type: 'string', value: 'mine' }];
const START = 1_790_000_000_000;
const LIMITS = { pages: 1, pageSize: 2 };

/** The queue and the job of a control plane. */
class Records {
  readonly added = new Set<string>();
  readonly saved: JobProgress[] = [];
  readonly job: BackfillJob = {
    ...{ projectId: 'p1', jobId: 'j1', queueId: 'q1', filters: FILTERS, from: null, to: START + 100 },
    ...{ createdAt: START, cursor: null, counts: NO_COUNTS },
  };
  isAvailable = true;

  readonly controlPlane: Pick<ControlPlane, 'startBackfill' | 'claimBackfill' | 'saveJob' | 'addToQueue'> = {
    startBackfill: () => Promise.resolve({ outcome: 'started', job: this.job }),
    claimBackfill: ({ busyProjectIds }) => {
      const last = this.saved.at(-1);
      if (busyProjectIds.includes('p1')) return Promise.resolve(undefined);
      if (!last || last.state !== 'running' || !last.releases) return Promise.resolve(undefined);
      return Promise.resolve({ ...this.job, cursor: last.cursor, counts: last.counts });
    },
    saveJob: (progress) => {
      this.saved.push(progress);
      return Promise.resolve(progress.state === 'running');
    },
    addToQueue: (_, ids) => {
      if (!this.isAvailable) return Promise.reject(unavailable('the control plane cannot be asked'));
      for (const id of ids) this.added.add(id);
      return Promise.resolve(true);
    },
  };
}

describe('a backfill of a queue', () => {
  let stored: StoredEvents;
  let mine: Event[];
  beforeAll(async () => {
    stored = await startStoredEvents();
    mine = await stored.add(
      Array.from({ length: 5 }, (_, n) => ({ event_name: 'mine', start_time: START + n })),
    );
    await stored.add([{ event_name: 'other', start_time: START + 3 }]);
    await stored.add([{ event_name: 'mine', start_time: START + 1_000 }]);
  });
  afterAll(() => stored.stop());

  const run = (records: Records, limits = LIMITS) =>
    makeBackfillQueue(stored.deps(records.controlPlane), limits)(
      { params: { queue_id: 'q1' }, query: {}, body: {} },
      CONTEXT,
    );
  const logger = {
    error: () => undefined,
    warn: () => undefined,
    info: () => undefined,
    debug: () => undefined,
  };
  const continueJobs = (records: Records) =>
    startBackfills({ ...stored.deps(), controlPlane: records.controlPlane, logger, now: Date.now });

  it('is complete with the response when it is small', async () => {
    const records = new Records();
    expect(await run(records, { pages: 5, pageSize: 2 })).toEqual({
      ...{ matched: 5, not_decided: 0, examined: 5, complete: true, job_id: 'j1' },
    });
    expect(records.added).toEqual(new Set(mine.map(({ event_id: id }) => id)));
    expect(records.saved.at(-1)).toMatchObject({ state: 'completed', counts: { events: 5, matched: 5 } });
  });

  it('is continued where the request has ended, by a process that runs backfills', async () => {
    const records = new Records();
    expect(await run(records)).toEqual({
      matched: 2,
      not_decided: 0,
      examined: 2,
      complete: false,
      job_id: 'j1',
    });
    expect(records.added.size).toBe(2);
    const backfills = continueJobs(records);
    await waitFor('the end of the job', () => Promise.resolve(records.saved.at(-1)?.state === 'completed'));
    await backfills.stop();
    expect(records.saved.at(-1)).toMatchObject({ owner: expect.not.stringMatching(/^$/) as string });
    expect(records.saved.at(-1)?.counts).toMatchObject({ events: 5, matched: 5 });
    expect(records.added).toEqual(new Set(mine.map(({ event_id: id }) => id)));
  });

  it('is free for other processes when the request fails', async () => {
    const records = new Records();
    records.isAvailable = false;
    await expect(run(records)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(records.saved).toMatchObject([{ state: 'running', releases: true, cursor: null }]);
  });

  it('is free for other processes when the process that runs it stops', async () => {
    const records = new Records();
    await run(records);
    records.isAvailable = false;
    const before = records.saved.length;
    let claims = 0;
    const { claimBackfill } = records.controlPlane;
    const controlPlane = {
      ...records.controlPlane,
      claimBackfill: (claim: Parameters<typeof claimBackfill>[0]) =>
        claims++ === 0 ? claimBackfill(claim) : Promise.resolve(undefined),
    };
    const backfills = startBackfills({ ...stored.deps(), controlPlane, logger, now: Date.now });
    await waitFor('the job is claimed', () => Promise.resolve(claims > 1));
    await backfills.stop();
    expect(records.saved.slice(before)).toMatchObject([{ state: 'running', releases: true }]);
    expect(records.saved.at(-1)?.cursor).toEqual(records.saved[before - 1]?.cursor);
  });
});
