import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LogFields, Logger } from '@assay/runtime';
import { waitFor } from '@assay/testing';
import type { LogPosition } from '../event-log.js';
import {
  openEmbeddedEventLog,
  type EmbeddedEventLog,
  type EmbeddedEventLogOptions,
} from './embedded-event-log.js';
import { DEFAULT_RETENTION, findExpired, type SegmentFacts } from './retention.js';

const HOUR_MS = 3_600_000;

describe('finding expired segments', () => {
  const now = Date.UTC(2026, 0, 10);
  const segment = (facts: { end: number; hoursOld: number; createdHoursAgo?: number }): SegmentFacts => ({
    header: { createdAt: now - (facts.createdHoursAgo ?? facts.hoursOld) * HOUR_MS },
    end: facts.end,
    length: 1_000,
    lastAppendedAt: now - facts.hoursOld * HOUR_MS,
  });
  const find = (segments: readonly SegmentFacts[], readByAll: number, retention = {}) =>
    findExpired(segments, { retention: { ...DEFAULT_RETENTION, ...retention }, now, readByAll });

  it('removes what is too old and read by all, but never the last segment', () => {
    const segments = [100, 90, 80].map((hoursOld, index) => segment({ end: index + 1, hoursOld }));
    expect(find(segments, 3)).toEqual({ remove: 2, unread: 0, isHeld: false });
    expect(find(segments, 1)).toEqual({ remove: 1, unread: 0, isHeld: true });
  });

  it('is not stopped by a record from the future', () => {
    const future = segment({ end: 1, hoursOld: -1_000, createdHoursAgo: 100 });
    const segments = [future, segment({ end: 2, hoursOld: 90 }), segment({ end: 3, hoursOld: 1 })];
    expect(find(segments, 3).remove).toBe(2);
  });

  it('removes unread segments only beyond the cap', () => {
    const segments = [3, 2, 1].map((hoursOld, index) => segment({ end: index + 1, hoursOld }));
    expect(find(segments, 0, { maxBytes: 1_500 })).toEqual({ remove: 0, unread: 0, isHeld: true });
    expect(find(segments, 0, { maxBytes: 1_500, maxLogBytes: 2_500 })).toEqual({
      remove: 1,
      unread: 1,
      isHeld: true,
    });
  });
});

describe('retention of the embedded log', () => {
  let dir: string;
  let log: EmbeddedEventLog;
  let now: number;
  let warnings: { phrase: string; fields?: LogFields }[];

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'assay-retention-'));
    now = Date.UTC(2026, 0, 1);
    warnings = [];
  });

  afterEach(async () => {
    await log.close();
    await rm(dir, { recursive: true, force: true });
  });

  const open = async (options: Partial<EmbeddedEventLogOptions>) => {
    const warn = (phrase: string, fields?: LogFields) => void warnings.push({ phrase, fields });
    const logger: Logger = { error: warn, warn, info: () => undefined, debug: () => undefined };
    log = await openEmbeddedEventLog({ dir, logger, now: () => now, sweepIntervalMs: 5, ...options });
  };
  const append = () => log.append([{ key: 'k', value: Buffer.alloc(10_000), headers: {} }]);
  const first = async () => (await log.position('nobody')).get(0) ?? -1;
  const register = async (group: string) => {
    const onBatch = () => Promise.reject(new Error('never reads'));
    await (await log.read({ group, maxRecords: 1, maxBytes: 1, lingerMs: 0, onBatch })).stop();
  };

  it('does not wait for groups that are not active', async () => {
    await open({ retention: { maxBytes: 1_000 }, activeGroups: ['store'] });
    await register('removed');
    for (let index = 0; index < 5; index += 1) await append();
    await waitFor('the condition holds', async () => (await first()) === 4);
    expect(log.retentionHolder()).toBeUndefined();
  });

  it('names the group that holds segments', async () => {
    await open({ retention: { maxBytes: 1_000 } });
    await register('slow');
    for (let index = 0; index < 3; index += 1) await append();
    expect(log.retentionHolder()).toEqual({ group: 'slow', offset: 0, lag: 3 });
    await waitFor('the condition holds', () =>
      warnings.some(({ phrase }) => phrase === 'event log retention waits for a consumer group'),
    );
    expect(warnings[0]?.fields).toMatchObject({ group: 'slow' });
  });

  it('removes unread records beyond its cap, with a warning, and continues after them', async () => {
    await open({ retention: { maxLogBytes: 35_000 } });
    await register('slow');
    for (let index = 0; index < 6; index += 1) await append();
    await waitFor('the condition holds', async () => (await first()) === 3);
    expect(warnings.map(({ phrase }) => phrase)).toContain(
      'event log over its size limit, unread records removed',
    );
    expect((await log.position('slow')).get(0)).toBe(3);
  });

  it('starts a rewound group at the first retained record', async () => {
    await open({ retention: { maxBytes: 15_000 } });
    for (let index = 0; index < 4; index += 1) await append();
    const offsets: number[] = [];
    const read = (startAt?: () => Promise<LogPosition>) =>
      log.read({
        group: 'g',
        maxRecords: 10,
        maxBytes: 1_000_000,
        lingerMs: 0,
        startAt,
        onBatch: (batch) => Promise.resolve(void offsets.push(...batch.map(({ offset }) => offset))),
      });
    const before = await read();
    // Several rounds of the retention remove records until only the newest is within the limit.
    await waitFor('the condition holds', async () => (await first()) === 3 && offsets.at(-1) === 3);
    await before.stop();
    const retained = await first();
    expect(await log.retainedFrom()).toEqual(new Map([[0, retained]]));
    offsets.length = 0;
    const again = await read(() => Promise.resolve(new Map([[0, 0]])));
    await waitFor('the condition holds', () => offsets.at(-1) === 3);
    expect(offsets[0]).toBe(retained);
    await again.stop();
  });

  it('removes the records of an idle log, also when some are from the future', async () => {
    await open({});
    now += 1_000 * HOUR_MS;
    await append();
    now -= 1_000 * HOUR_MS;
    await waitFor('the condition holds', async () => (await readdir(join(dir, 'records'))).length === 2);
    now += 73 * HOUR_MS;
    await append();
    await waitFor('the condition holds', async () => (await first()) === 1);
    now += 73 * HOUR_MS;
    await waitFor('the condition holds', async () => (await first()) === 2);
    expect((await log.end()).get(0)).toBe(2);
  });
});
