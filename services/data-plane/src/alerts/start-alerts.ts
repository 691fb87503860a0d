import { randomUUID } from 'node:crypto';
import type {
  AlertDelivery,
  AlertTurn,
  ClaimedAlert,
  ControlPlane,
  SavedAlert,
} from '@assay/control-plane-client';
import type { Logger, Metrics } from '@assay/runtime';
import { runRounds, type Rounds } from '../shared/run-rounds.js';
import { makeEvaluateAlert, type EvaluateAlertDeps } from './evaluate-alert.js';
import { makeSendMessage, type SendMessageDeps } from './send-message.js';

export interface AlertsOptions extends EvaluateAlertDeps, SendMessageDeps {
  readonly controlPlane: Pick<ControlPlane, 'claimAlert' | 'saveAlert'>;
  /** Resolves when everything that was accepted before a time, in Unix milliseconds, is stored. @throws AppError `UNAVAILABLE` */
  readonly requireStored: (time: number) => Promise<void>;
  /** Projects whose alerts this process evaluates; absent or empty: all. */
  readonly projectIds?: readonly string[];
  readonly logger: Pick<Logger, 'warn'>;
  readonly metrics: Metrics;
}

const EVERY_MS = 1_000;
/** Alerts that have a turn at the same time, each of another project. */
const MAX_TURNS = 8;
/** Time in which a project has no turn, relative to the time that reading and sending took in its last one. */
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
    for (const [projectId, end] of restUntil) if (end <= performance.now()) restUntil.delete(projectId);
    return [...restUntil.keys()];
  }

  function begin(alert: ClaimedAlert, owner: string, signal: AbortSignal): void {
    const { projectId, alertId } = alert;
    const spent: Spent = { ms: 0 };
    restUntil.set(projectId, Infinity);
    const turn = takeTurn(alert, { owner, spent }, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) logger.warn('alert not evaluated, retrying', { projectId, alertId }, error);
      })
      .finally(() => {
        running.delete(turn);
        restUntil.set(projectId, performance.now() + spent.ms * REST);
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

/** How long a turn has read windows and sent messages, in milliseconds, also when it fails. What it waits for is not charged. */
interface Spent {
  ms: number;
}

/** Returns a function that takes a turn of an alert. */
function makeTakeTurn(options: AlertsOptions) {
  const { controlPlane } = options;
  const read = makeReadWindows(options);
  const send = makeSendMessage(options);
  const counts = makeAlertMetrics(options.metrics);

  return async function takeTurn(
    alert: ClaimedAlert,
    { owner, spent }: { readonly owner: string; readonly spent: Spent },
    signal: AbortSignal,
  ): Promise<void> {
    const { projectId, alertId, revision, missed, lateMs } = alert;
    const { windows, failure } = await read(alert, spent, signal);
    // After a failure the windows are due again when the lease has run out.
    const turn = { projectId, alertId, owner, revision, releases: failure === undefined };
    let saved = await controlPlane.saveAlert({ ...turn, windows, missed, sent: [] });
    counts.evaluated(windows.length, missed, lateMs);
    counts.changed(saved);
    while (saved.deliveries.length > 0 && !signal.aborted) {
      const { deliveries } = saved;
      const sent = await charged(spent, () => sendInOrder(send, deliveries, signal));
      counts.sent(sent);
      saved = await controlPlane.saveAlert({ ...turn, windows: [], missed: 0, sent });
      counts.changed(saved);
    }
    if (failure !== undefined) throw failure.error;
  };
}

type Send = ReturnType<typeof makeSendMessage>;

/** Sends messages up to the first that is to be repeated: the later ones wait for it. */
async function sendInOrder(
  send: Send,
  deliveries: readonly AlertDelivery[],
  signal: AbortSignal,
): Promise<AlertTurn['sent']> {
  const sent: AlertTurn['sent'][number][] = [];
  for (const delivery of deliveries) {
    const attempt = await send(delivery, signal);
    // An attempt that a stop has ended does not count.
    if (signal.aborted && attempt.error !== null) break;
    sent.push(attempt);
    if (!attempt.final) break;
  }
  return sent;
}

async function charged<T>(spent: Spent, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  try {
    return await work();
  } finally {
    spent.ms += performance.now() - startedAt;
  }
}

interface ReadWindows {
  readonly windows: AlertTurn['windows'];
  readonly failure?: { readonly error: unknown };
}

/** Returns a function that reads the windows of an alert. It never rejects, so that messages are sent while the store is unavailable. */
function makeReadWindows(options: AlertsOptions) {
  const evaluate = makeEvaluateAlert(options);

  return async function readWindows(
    alert: ClaimedAlert,
    spent: Spent,
    signal: AbortSignal,
  ): Promise<ReadWindows> {
    try {
      const last = alert.ends.at(-1);
      if (last !== undefined) await options.requireStored(last);
      const read = (limit: AbortSignal) => evaluate(alert, { signal: limit });
      return { windows: await charged(spent, () => within(EVALUATION_TIMEOUT_MS, signal, read)) };
    } catch (error) {
      return { windows: [], failure: { error } };
    }
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
    'assay_alert_missed_windows_total',
    'Windows of alerts that were never evaluated, because more than 15 were due',
  );
  const attempts = metrics.counter(
    'assay_alert_attempts_total',
    'Attempts to deliver a message of an alert',
    ['outcome'],
  );
  const changes = metrics.counter(
    'assay_alert_changes_total',
    'Changes of the state of alerts, by the new state',
    ['state'],
  );
  const givenUp = metrics.counter(
    'assay_alert_messages_given_up_total',
    'Messages of alerts that were given up: failed after their last attempt, or dropped because too many waited',
    ['cause'],
  );
  const late = metrics.gauge('assay_alert_late_seconds', 'How late the last evaluated alert was');
  return {
    evaluated: (count: number, missedWindows: number, lateMs: number) => {
      if (count === 0) return;
      windows.inc(count);
      missed.inc(missedWindows);
      late.set(lateMs / 1_000);
    },
    sent: (outcomes: readonly { readonly error: string | null }[]) => {
      for (const { error } of outcomes) attempts.inc({ outcome: error === null ? 'delivered' : 'failed' });
    },
    changed: ({ entered, failed, dropped }: SavedAlert) => {
      for (const state of entered) changes.inc({ state });
      givenUp.inc({ cause: 'failed' }, failed);
      givenUp.inc({ cause: 'dropped' }, dropped);
    },
  };
}
