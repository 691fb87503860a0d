import {
  inSteps,
  traitsOf,
  type DeployedMetric,
  type Evaluation,
  type EvaluationRequest,
  type Event,
  type Exclusion,
  type FilterWork,
  type Steps,
} from '@assay/domain';
import {
  prepareOnRequest,
  rulesOfSession,
  type PreparedMetric,
  type ProjectMetrics,
} from '../definitions/project-metrics.js';
import type { Changes } from './changes.js';

/** What a project's metrics are matched with. */
export interface MatchInput {
  readonly event: Event;
  readonly metrics: ProjectMetrics;
  /** Evaluations of the event so far. */
  readonly evaluations: readonly Evaluation[];
  /** By id of the metric: what jobs have asked for. */
  readonly requests?: ReadonlyMap<string, EvaluationRequest>;
  /** What has changed: metrics that read nothing of it are not considered, unless a job has asked for them. */
  readonly changes: Changes;
}

/** Which metrics of a project apply to an event. */
export interface ApplyingMetrics {
  /** Metrics that evaluate the event itself. */
  readonly judges: readonly DeployedMetric[];
  /** Those that a job has asked for. */
  readonly requested: readonly DeployedMetric[];
  /** Metrics that may evaluate the session once it has been quiet, which its events decide. */
  readonly ofSession: readonly DeployedMetric[];
  /** Composites, also those that a job has asked for. */
  readonly composites: readonly DeployedMetric[];
  /** Metrics whose filters took too much work, so that it is unknown whether they apply. */
  readonly undecided: readonly DeployedMetric[];
  /** Why metrics do not apply whose filters were not decided before, by id of the metric. */
  readonly excluded: ReadonlyMap<string, Exclusion>;
}

/** Metrics that are matched in one step, when their filters read no long text. */
const METRICS_PER_STEP = 500;

/**
 * Finds the metrics that apply to an event and that its changes concern. Each filter is evaluated once, within the work that is
 * left to the project.
 */
export function* applyingMetrics(input: MatchInput, work: FilterWork): Steps<ApplyingMetrics> {
  const { event, metrics, requests, changes } = input;
  const found = new Found(input.evaluations);
  const candidates = [...judgesConcerned(metrics, event, changes), ...metrics.composites];
  for (const [index, prepared] of candidates.entries()) {
    if (index % METRICS_PER_STEP === METRICS_PER_STEP - 1) yield;
    const rules = rulesOfSession(prepared, event);
    const applies = rules ? rules.onArrival : prepared.appliesTo;
    found.add(prepared, yield* inSteps(applies(event, work)), rules !== undefined);
  }
  const decided = found.decidedIds();
  for (const id of requests?.keys() ?? []) {
    const { metric } = metrics.get(id) ?? {};
    if (metric === undefined || found.isUndecided(metric)) continue;
    const prepared = prepareOnRequest(metric);
    const rules = rulesOfSession(prepared, event);
    const applies = rules ? rules.onArrival : prepared.appliesTo;
    const exclusion = decided.has(id) ? undefined : yield* inSteps(applies(event, work));
    found.addRequested(metric, exclusion, rules !== undefined);
  }
  return found;
}

/**
 * Returns the metrics without children that changes concern. A score concerns those whose filters read it, and the metric of its
 * name, whose score a client may have removed. Scores of other events concern none: what sessions derive has no scores.
 */
function judgesConcerned(
  metrics: ProjectMetrics,
  event: Event,
  { content, scores, events }: Changes,
): readonly PreparedMetric[] {
  if (!content && !events && scores.size === 0) return [];
  const judges = metrics.judgesFor(event);
  if (content) return judges;
  return judges.filter((prepared) => {
    if (events && rulesOfSession(prepared, event)) return true;
    return scores.has(prepared.metric.name) || prepared.readsScore(scores);
  });
}

class Found implements ApplyingMetrics {
  readonly judges: DeployedMetric[] = [];
  readonly requested: DeployedMetric[] = [];
  readonly ofSession: DeployedMetric[] = [];
  readonly composites: DeployedMetric[] = [];
  readonly undecided: DeployedMetric[] = [];
  readonly excluded = new Map<string, Exclusion>();
  readonly #undecidedBefore: ReadonlySet<string>;

  constructor(evaluations: readonly Evaluation[]) {
    const before = evaluations.filter(({ decision }) => decision === 'not_decided');
    this.#undecidedBefore = new Set(before.map(({ metricId }) => metricId));
  }

  add({ metric }: PreparedMetric, exclusion: Exclusion | undefined, isOfSession: boolean): void {
    if (exclusion === 'not_decided') this.undecided.push(metric);
    else if (exclusion !== undefined) this.#addExcluded(metric, exclusion);
    else if (isOfSession) this.ofSession.push(metric);
    else if (traitsOf(metric).hasChildren) this.composites.push(metric);
    else this.judges.push(metric);
  }

  /** Of several composites of a name one is computed. */
  addRequested(metric: DeployedMetric, exclusion: Exclusion | undefined, isOfSession: boolean): void {
    if (exclusion === 'not_decided') this.undecided.push(metric);
    else if (exclusion !== undefined) this.#addExcluded(metric, exclusion);
    else if (isOfSession || !traitsOf(metric).hasChildren) this.requested.push(metric);
    else if (this.composites.every(({ name }) => name !== metric.name)) this.composites.push(metric);
  }

  /** Returns the metrics that apply, and so apply on request too. */
  decidedIds(): ReadonlySet<string> {
    return new Set([...this.judges, ...this.ofSession, ...this.composites].map(({ id }) => id));
  }

  isUndecided(metric: DeployedMetric): boolean {
    return this.undecided.includes(metric);
  }

  #addExcluded({ id }: DeployedMetric, exclusion: Exclusion): void {
    if (this.#undecidedBefore.has(id)) this.excluded.set(id, exclusion);
  }
}
