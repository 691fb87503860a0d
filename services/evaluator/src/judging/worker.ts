import type { EventLog, LogPosition } from '@assay/event-log';
import type { SessionsPort, StatesPort } from '@assay/event-store';
import type { Freshness } from '@assay/log-readers';
import type { Logger, Metrics } from '@assay/runtime';
import type { Tracing } from '@assay/telemetry';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import type { EvaluateMetricDeps } from '../kinds/metric-kind.js';
import type { QuietPeriod } from '../shared/quiet-period.js';
import type { NewWork } from '../shared/work-item.js';
import type { StoredEvent } from './evaluation-step.js';
import type { ProjectProviderState } from './provider-calls.js';

export interface WorkerOptions extends EvaluateMetricDeps {
  readonly log: Pick<EventLog, 'append' | 'end' | 'position'>;
  readonly store: { readonly states: StatesPort; readonly sessions: SessionsPort };
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  readonly waitUntilStored: (target: LogPosition, maxWaitMs: number) => Promise<Freshness>;
  /** Age of a decision from which its evaluation is not postponed again, in milliseconds. */
  readonly maxAgeMs: number;
  readonly quiet: QuietPeriod;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Absent when this process traces nothing. */
  readonly tracing?: Tracing | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** How often the worker looks for what is due, in milliseconds; 1,000 by default. */
  readonly tickMs?: number;
}

/** Carries out evaluations that were decided. */
export interface Worker {
  /** Takes over evaluations whose decisions are durable. What does not fit into memory is read from the store later. */
  accept(work: readonly NewWork[]): void;
  /** Takes the present states of events, so that evaluations that wait do not use older ones. */
  refresh(events: readonly StoredEvent[]): void;
  /**
   * Ends the evaluations of all partitions but these without a result: another process reads the others now, and
   * continues what is pending there.
   */
  keepOnly(partitions: readonly number[]): void;
  /** Continues the evaluations of these partitions, and of no others. */
  assigned(partitions: readonly number[]): void;
  /** Returns the providers whose last call by a project has failed: by this one, or by any. */
  providers(projectId?: string): ProjectProviderState[];
  /** Ends what runs; the rest stays pending. Idempotent. */
  stop(): Promise<void>;
}
