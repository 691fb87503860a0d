import type { EventLog } from '@assay/event-log';
import type { EventKey, SessionsPort, StatesPort } from '@assay/event-store';
import { eventKey, FORWARD_GROUP } from '@assay/log-readers';
import type { LogVersions } from '../shared/log-versions.js';
import { makeForwardSessions, type ForwardSessionsDeps } from './forward-sessions.js';
import {
  SessionThrottle,
  THROTTLE_LIMITS,
  type BatchRange,
  type ThrottleLimits,
} from './session-throttle.js';
import type { TouchedSession } from './touched-sessions.js';

export interface SessionForwarderOptions extends ForwardSessionsDeps {
  readonly store: { readonly sessions: SessionsPort; readonly states: StatesPort };
  readonly log: Pick<EventLog, 'position'>;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly versions: LogVersions;
  readonly limits?: ThrottleLimits;
}

const TICK_MS = 500;

/**
 * Forwards summaries of sessions, and those of large sessions at intervals. A deferred summary survives a crash: the
 * versions of its rows are positions shortly before the committed position of the group, where the next reader of the
 * partition looks for large sessions before it handles a batch.
 */
export class SessionForwarder {
  private readonly throttle: SessionThrottle;
  private readonly forwardSessions: ReturnType<typeof makeForwardSessions>;
  private readonly limits: ThrottleLimits;
  private recovered: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: SessionForwarderOptions) {
    this.limits = options.limits ?? THROTTLE_LIMITS;
    this.throttle = new SessionThrottle(this.limits);
    this.forwardSessions = makeForwardSessions(options);
  }

  /** Starts forwarding deferred summaries when they are due. */
  start(): void {
    this.timer = setInterval(() => {
      this.running ??= this.forwardDue().finally(() => (this.running = undefined));
    }, TICK_MS).unref();
  }

  /** Call when the reader has been assigned other partitions: a reader before it may have deferred summaries. */
  reassigned(): void {
    this.recovered = undefined;
  }

  /** Resolves once the summaries that an earlier reader deferred are forwarded. @throws AppError `UNAVAILABLE` */
  recover(): Promise<void> {
    this.recovered ??= this.forwardLost().catch((error: unknown) => {
      this.recovered = undefined;
      throw error;
    });
    return this.recovered;
  }

  /** Forwards the summaries of touched sessions, or defers them. @throws AppError `UNAVAILABLE` */
  async forward(touched: readonly TouchedSession[], range: BatchRange): Promise<void> {
    const now = this.options.now();
    const immediate = touched.filter(
      (session) => session.isUrgent || !this.throttle.defers(session, range, now),
    );
    const due = this.throttle.due(now, range);
    await this.summarise([...immediate, ...due.map(({ session }) => session)]);
    this.throttle.settle(due);
  }

  /** Stops the timer and forwards what is deferred, once. What cannot be forwarded now is found by the next start. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
    const deferred = this.throttle.all();
    await this.summarise(deferred.map(({ session }) => session)).catch(() => undefined);
  }

  private async forwardDue(): Promise<void> {
    try {
      await this.recover();
      const due = this.throttle.due(this.options.now());
      await this.summarise(due.map(({ session }) => session));
      this.throttle.settle(due);
    } catch (error) {
      this.options.logger.warn('summaries of large sessions not forwarded, retrying', {}, error);
    }
  }

  private async summarise(sessions: readonly EventKey[]): Promise<void> {
    const unique = new Map(sessions.map((session) => [eventKey(session), session]));
    const rows = await this.forwardSessions([...unique.values()]);
    this.throttle.summarised(rows, this.options.now());
  }

  private async forwardLost(): Promise<void> {
    const { log, store, versions } = this.options;
    const { maxRecords, minRows } = this.limits;
    const committed = [...(await log.position(FORWARD_GROUP))].filter(([, offset]) => offset > 0);
    const ranges = committed.map(([partition, offset]) => ({
      from: versions.versionOf({ partition, offset: Math.max(0, offset - maxRecords) }),
      to: versions.versionOf({ partition, offset: offset - 1 }) + 1,
    }));
    await this.summarise(await store.states.largeSessionsWritten({ versions: ranges, minRows }));
  }
}
