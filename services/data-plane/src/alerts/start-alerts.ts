import { randomUUID } from 'node:crypto';
import type { ClaimedAlert, ControlPlane } from '@assay/control-plane-client';
import type { Logger, Metrics } from '@assay/runtime';
import { runRounds, type Rounds } from '../shared/run-rounds.js';
import { makeEvaluateAlert, type EvaluateAlertDeps } from './evaluate-alert.js';
import { makeSendMessage, type SendMessageDeps } from './send-message.js';

export interface AlertsOptions extends EvaluateAlertDeps, SendMessageDeps {
  readonly controlPlane: Pick<ControlPlane, 'claimAlert' | 'saveAlert'>;
  /** Projects whose alerts this process evaluates; absent or empty: all. */
  readonly projectIds?: readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Metrics;
}

const EVERY_MS = 1_000;
/** Alerts that have a turn at the same time, each of another project. */
const MAX_TURNS = 8;
/** Time in which a project has no turn, relative to the time that the windows of its last one took. */
const REST = 3;
/** Shorter than the lease. */
const EVALUATION_TIMEOUT_MS = 40_000;

/**
 * Evaluates alerts that are due and sends their messages, from now on. The control plane leases each one to one process, and saves each
 * window once.
 */
export function startAlerts(options: AlertsOptions): Rounds {
  const { controlPlane, projectIds = [], logger } = options;
  const takeTurn = makeTakeTurn(options);
  const running = new Set<Promise<void>>();
  /** By project: the end of its rest; infinite during a turn. */
  const restUntil = new Map<string, number>();

  function busyProjects(): string[] {
    for (const [projectId, until] of restUntil) if (until <= performance.now()) restUntil.delete(projectId);
    return [...restUntil.keys()];
  }

  function begin(alert: ClaimedAlert, owner: string, signal: AbortSignal): void {
    const { projectId, alertId } = alert;
    let tookMs = 0;
    restUntil.set(projectId, Infinity);
    const turn = takeTurn(alert, owner, signal)
      .then((ms) => {
        tookMs = ms;
      })
      .catch((error: unknown) => {
        if (!signal.aborted) logger.warn('alert not evaluated, retrying', { projectId, alertId }, error);
      })
      .finally(() => {
        running.delete(turn);
        restUntil.set(projectId, performance.now() + tookMs * REST);
      });
    running.add(turn);
  }

  const rounds = runRounds({
    round: async (signal) => {
      while (!signal.aborted && running.size < MAX_TURNS) {
        const owner = randomUUID();
        const alert = await controlPlane.claimAlert({ owner, projectIds, busyProjectIds: busyProjects() });
        if (alert === undefined) return;
        begin(alert, owner, signal);
      }
    },
    restMs: () => EVERY_MS,
    onFailure: (error) => logger.warn('alerts were not read, retrying', {}, error),
  });
  return {
    stop: async () => {
      await rounds.stop();
      await Promise.all(running);
    },
  };
}

/** Returns a function that takes a turn of an alert and returns how long its windows took to read, in milliseconds. */
function makeTakeTurn(options: AlertsOptions) {
  const { controlPlane } = options;
  const evaluate = makeEvaluateAlert(options);
  const send = makeSendMessage(options);
  const counts = makeAlertMetrics(options.metrics);

  return async function takeTurn(alert: ClaimedAlert, owner: string, signal: AbortSignal): Promise<number> {
    const { projectId, alertId, revision, missed, lateMs } = alert;
    const name = { projectId, alertId, owner, revision };
    const startedAt = performance.now();
    const windows = await within(EVALUATION_TIMEOUT_MS, signal, (limit) =>
      evaluate(alert, { signal: limit }),
    );
    const tookMs = performance.now() - startedAt;
    let saved = await controlPlane.saveAlert({ ...name, windows, missed, sent: [] });
    counts.evaluated(windows.length, missed, lateMs);
    while (saved.deliveries.length > 0 && !signal.aborted) {
      const sent = [];
      for (const delivery of saved.deliveries) sent.push(await send(delivery, signal));
      counts.sent(sent);
      saved = await controlPlane.saveAlert({ ...name, windows: [], missed: 0, sent });
      counts.failed(saved.failed);
    }
    return tookMs;
  };
}

async function within<T>(
  ms: number,
  stopping: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, ms);
  stopping.addEventListener('abort', abort, { once: true });
  try {
    return await run(limit.signal);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', abort);
  }
}

function makeAlertMetrics(metrics: Metrics) {
  const windows = metrics.counter('assay_alert_windows_total', 'Windows of alerts that were evaluated');
  const missed = metrics.counter(
    'assay_alert_missed_minutes_total',
    'Minutes of alerts that were not evaluated, because more than 15 were due',
  );
  const attempts = metrics.counter(
    'assay_alert_attempts_total',
    'Attempts to deliver a message of an alert',
    ['outcome'],
  );
  const failed = metrics.counter(
    'assay_alert_failed_messages_total',
    'Messages of alerts that were given up; the history of the alert says why',
  );
  const late = metrics.gauge('assay_alert_late_seconds', 'How late the last evaluated alert was');
  return {
    evaluated: (count: number, missedMinutes: number, lateMs: number) => {
      if (count === 0) return;
      windows.inc(count);
      missed.inc(missedMinutes);
      late.set(lateMs / 1_000);
    },
    sent: (outcomes: readonly { readonly error: string | null }[]) => {
      for (const { error } of outcomes) attempts.inc({ outcome: error === null ? 'delivered' : 'failed' });
    },
    failed: (count: number) => failed.inc(count),
  };
}
