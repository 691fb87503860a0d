import type { SessionsPort, StatesPort } from '@assay/event-store';
import { portWith } from '@assay/event-store/test/port-with';
import { encodeRecord, decodeRecord, readEvaluations, type RecordKind } from '@assay/contracts';
import { acceptUpdate, type DeployedMetric, type Evaluation } from '@assay/domain';
import type { ConsumedRecord, LogPosition } from '@assay/event-log';
import { metricOf, storedEvent } from '../../test/metric-fixture.js';
import { ProjectMetrics } from '../definitions/project-metrics.js';
import { quietPeriod } from '../shared/quiet-period.js';
import type { NewWork } from '../shared/work-item.js';
import { makeDecideBatch } from './decide-batch.js';

const ONE = '11111111-1111-4111-8111-111111111111';
const TWO = '22222222-2222-4222-8222-222222222222';

const record = (eventId: string, offset: number, kind: RecordKind = 'event'): ConsumedRecord => ({
  ...encodeRecord({ kind, projectId: 'p', eventId, fresh: true, value: Buffer.from('{}') }),
  ...{ partition: 7, offset, appendedAt: 1 },
});

/** The reader's surroundings: which events exist, what is appended, and up to where it waits for the store. */
class Reader {
  metrics: DeployedMetric[] = [metricOf('m')];
  deleted: string[] = [];
  isStored = true;
  failures = 0;
  end: LogPosition = new Map([[7, 100]]);
  readonly appended: Evaluation[] = [];
  readonly accepted: NewWork[] = [];
  readonly refreshed: string[] = [];
  readonly waits: LogPosition[] = [];
  readonly #reader = makeDecideBatch({
    log: {
      append: (records) => {
        if (this.failures-- > 0) return Promise.reject(new Error('the log is unavailable'));
        this.appended.push(...records.map(decodeRecord).flatMap((one) => readEvaluations(one).evaluations));
        return Promise.resolve();
      },
      end: () => Promise.resolve(this.end),
    },
    store: {
      states: portWith<StatesPort>({
        read: (keys) =>
          Promise.resolve(
            new Map(
              keys.map(({ eventId }) => [
                `p/${eventId}`,
                {
                  event: storedEvent({ event_id: eventId }),
                  changes: {
                    projectId: 'p',
                    eventId,
                    patch: acceptUpdate({}),
                    version: 10,
                    deleted: this.deleted.includes(eventId),
                  },
                },
              ]),
            ),
          ),
        sizes: (keys) => Promise.resolve(new Map(keys.map(({ eventId }) => [`p/${eventId}`, 1]))),
        evaluations: () => Promise.resolve(new Map()),
        sessionsOfEvents: () => Promise.resolve(new Map()),
        changeFlags: () => Promise.resolve(new Map()),
      }),
      sessions: portWith<SessionsPort>({
        metrics: () => Promise.resolve(new Map()),
      }),
    },
    definitions: { of: () => Promise.resolve(new ProjectMetrics(this.metrics)) },
    waitUntilStored: (target) => {
      this.waits.push(target);
      return Promise.resolve(this.isStored ? { current: true } : { current: false, waitedMs: 1 });
    },
    refresh: (events) => this.refreshed.push(...events.map(({ event_id: id }) => id)),
    accept: (work) => this.accepted.push(...work),
    now: () => 1_000,
    quiet: quietPeriod(1_000),
  });

  decide = (...batch: ConsumedRecord[]) => this.#reader.decideBatch(batch);
  catchUp = () => this.#reader.catchUp();
}

describe('a batch of changes', () => {
  let reader: Reader;
  beforeEach(() => (reader = new Reader()));

  it('leads to one decision about each event, however often the batch mentions it', async () => {
    await reader.decide(
      record(ONE, 1),
      record(TWO, 2),
      record(ONE, 3, 'patch'),
      record(ONE, 4, 'evaluation'),
    );
    expect(reader.appended).toMatchObject([{ decision: 'pending' }, { decision: 'pending' }]);
    expect(reader.accepted).toMatchObject([
      { eventId: ONE, partition: 7 },
      { eventId: TWO, partition: 7 },
    ]);
    expect(reader.refreshed).toEqual([ONE, TWO]);
  });

  it('waits until the store has the batch, and everything that earlier readers have decided', async () => {
    await reader.decide(record(ONE, 1));
    await reader.decide(record(TWO, 2));
    expect(reader.waits).toEqual([new Map([[7, 2]]), new Map([[7, 100]])]);
    reader.isStored = false;
    await expect(reader.decide(record(ONE, 3))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(reader.appended).toHaveLength(2);
  });

  it('waits for decisions of the reader before it, once it has caught up', async () => {
    await reader.catchUp();
    await reader.decide(record(ONE, 1));
    expect(reader.waits).toEqual([new Map([[7, 100]])]);
  });

  it('hands over nothing that is not durable, and waits for what may have been written', async () => {
    reader.failures = 1;
    await expect(reader.decide(record(ONE, 1))).rejects.toThrow('the log is unavailable');
    expect(reader.accepted).toEqual([]);
    await reader.decide(record(ONE, 1));
    expect(reader.waits.at(-1)).toEqual(new Map([[7, 100]]));
    expect(reader.accepted).toHaveLength(1);
  });

  it('of projects that evaluate nothing waits for nothing', async () => {
    reader.metrics = [];
    await reader.decide(record(ONE, 1));
    expect([reader.waits, reader.appended]).toEqual([[], []]);
  });

  it('leaves deleted events out', async () => {
    reader.deleted = [ONE];
    await reader.decide(record(ONE, 1), record(TWO, 2));
    expect(reader.accepted).toMatchObject([{ eventId: TWO }]);
  });

  it('with a record that cannot be read is refused', async () => {
    await expect(reader.decide({ ...record(ONE, 1), headers: {} })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});
