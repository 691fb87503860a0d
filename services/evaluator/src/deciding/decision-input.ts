import type { Evaluation, EvaluationRequest, Event, JsonObject } from '@assay/domain';
import type { ProjectMetrics } from '../definitions/project-metrics.js';
import type { QuietPeriod } from '../shared/quiet-period.js';
import type { ApplyingMetrics } from './applying-metrics.js';
import type { Changes } from './changes.js';

/** What deciding about an event needs. */
export interface DecisionInput {
  /** The merged event, with the version of its state. */
  readonly event: Event & { readonly version: number };
  readonly metrics: Pick<ProjectMetrics, 'rules'>;
  /** The metrics that apply to it. */
  readonly applying: ApplyingMetrics;
  /** Its evaluations so far. */
  readonly evaluations: readonly Evaluation[];
  /** Of a session that composites apply to: the metrics of all its events. */
  readonly sessionMetrics?: readonly JsonObject[];
  /** By id of the metric: what jobs have asked for. */
  readonly requests?: ReadonlyMap<string, EvaluationRequest>;
  /** What has changed since the event was decided about. */
  readonly changes: Changes;
  /** Unix milliseconds. */
  readonly now: number;
  readonly quiet: QuietPeriod;
}
