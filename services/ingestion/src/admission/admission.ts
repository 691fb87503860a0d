import { RECORD_HEADERS, STORE_GROUP } from '@assay/contracts';
import { AppError } from '@assay/errors';
import type { EventLog, LogRecord } from '@assay/event-log';
import type { Metrics } from '@assay/runtime';
import type { IngestLimiter } from '../limits/ingest-limiter.js';
import { makeCountRefused } from '../rejections/record-failures.js';
import { RecordCosts } from './record-cost.js';
import { StoreLag } from './store-lag.js';
import { makeWaitForAdmission, type WaitForAdmission } from './wait-for-admission.js';

export interface AdmissionOptions {
  readonly log: Pick<EventLog, 'append' | 'end' | 'position'>;
  readonly metrics: Metrics;
  /** How far the event store may be behind before projects with more than their share are refused; 0: any time. */
  readonly maxLagMs: number;
  readonly limiter: Pick<IngestLimiter, 'count'>;
  /** Called with what was appended for a project. */
  readonly onAccepted?: (projectId: string, records: number) => void;
}

/** Admits what projects append to the log, so that no project delays the storing of others. */
export interface Admission {
  /** @throws AppError `OVERLOADED` when more of the project waits to be stored than its share, see {@link StoreLag} */
  readonly admit: WaitForAdmission;
  /** The log, which appends records of one project. Rejects, without waiting, as {@link Admission.admit} does. */
  readonly log: Pick<EventLog, 'append'>;
  /** Stops observing the reader. */
  stop(): Promise<void>;
}

/** Milliseconds between two looks at the reader: while something is not stored, and otherwise. */
const BUSY_INTERVAL_MS = 250;
const IDLE_INTERVAL_MS = 1_000;

/** Starts to observe the `store` reader. */
export function startAdmission({ log, metrics, maxLagMs, limiter, onAccepted }: AdmissionOptions): Admission {
  const lag = new StoreLag({ now: () => performance.now(), maxLagMs });
  const costs = new RecordCosts();
  const countRefused = makeCountRefused(metrics);
  const accepted = metrics.counter(
    'assay_ingest_accepted_records_total',
    'Records that were accepted: appended to the log durably',
  );
  countRefused('store_behind', 0);
  metrics.gauge(
    'assay_ingest_store_lag_seconds',
    'Estimated time until everything that this process has appended is stored',
    [],
    (gauge) => gauge.set(lag.lagMs() / 1_000),
  );
  const assertAdmitted = (projectId: string) => {
    if (lag.admits(projectId)) return;
    countRefused('store_behind');
    throw new AppError(
      'OVERLOADED',
      'the project sends more than can be stored at the moment, send the request again later',
      { details: { reason: 'store_behind' } },
    );
  };
  const append = async (records: readonly LogRecord[]) => {
    const projectId = records[0]?.headers[RECORD_HEADERS.project];
    if (projectId === undefined) return;
    assertAdmitted(projectId);
    const takeBack = limiter.count(records);
    const settle = lag.begin(projectId, costs.costOf(records));
    try {
      await log.append(records);
    } catch (error) {
      takeBack?.();
      throw error;
    } finally {
      settle();
    }
    accepted.inc(records.length);
    onAccepted?.(projectId, records.length);
  };
  const admit = makeWaitForAdmission({
    admits: (projectId) => lag.admits(projectId),
    delays: (projectId) => lag.delays(projectId),
    assertAdmitted,
  });
  return { admit, log: { append }, stop: observe(log, lag) };
}

/** Observes the reader until the returned function is called. A failed look is repeated after the interval. */
function observe(log: AdmissionOptions['log'], lag: StoreLag): () => Promise<void> {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const look = () =>
    lag.observe(async () => {
      // In this order: the position must not be compared with an older end.
      const end = await log.end();
      return { end, position: await log.position(STORE_GROUP) };
    });
  const schedule = (delayMs: number) => {
    timer = setTimeout(() => {
      running = look()
        .catch(() => undefined)
        .then(() => {
          if (!isStopped) schedule(lag.hasUnstored() ? BUSY_INTERVAL_MS : IDLE_INTERVAL_MS);
        });
    }, delayMs).unref();
  };
  schedule(0);
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}
