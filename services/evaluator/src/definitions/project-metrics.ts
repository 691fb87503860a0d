import {
  appliesTo,
  onRequest,
  readsScore,
  sessionRules,
  traitsOf,
  type AppliesTo,
  type DeployedMetric,
  type Event,
  type MetricRule,
  type SessionRules,
} from '@assay/domain';

/** A metric with the prepared rule that decides which events it evaluates. */
export interface PreparedMetric {
  readonly metric: DeployedMetric;
  readonly appliesTo: AppliesTo;
  /** Returns whether the filters read one of the scores with these names. */
  readonly readsScore: (names: ReadonlySet<string>) => boolean;
  /** Present when the metric decides about sessions by what they derive from their events. */
  readonly session?: SessionRules;
}

/** Returns a metric with its rules. */
export function prepare(metric: DeployedMetric): PreparedMetric {
  const session = sessionRules(metric);
  return {
    metric,
    appliesTo: appliesTo(metric),
    readsScore: readsScore(metric),
    ...(session && { session }),
  };
}

/** Returns a metric with its rules for events whose evaluation was asked for. */
export function prepareOnRequest(metric: DeployedMetric): PreparedMetric {
  return prepare(onRequest(metric));
}

/** Returns the rules by which a metric decides about the event, when these are those of a session. */
export function rulesOfSession(
  { session }: PreparedMetric,
  { event_type: type }: Pick<Event, 'event_type'>,
): SessionRules | undefined {
  return type === 'session' ? session : undefined;
}

const EVENT_NAME = 'event_name';

/** The metrics of one project, prepared for deciding about many events. */
export class ProjectMetrics {
  readonly #byId = new Map<string, PreparedMetric>();
  /** Metrics that evaluate events themselves, by the event name that they require; under undefined those that require none. */
  readonly #judged = new Map<string | undefined, PreparedMetric[]>();
  readonly composites: readonly PreparedMetric[];
  /**
   * Identifies the metrics that decide about sessions by what these derive from their events, in their versions; empty without
   * any.
   */
  readonly decidingOnSessions: string;
  /** Identifies the composites among them, which scores of these events concern. */
  readonly combiningSessions: string;
  /** By name; of several metrics of a name the newest. */
  readonly rules: ReadonlyMap<string, MetricRule>;

  /** @param metrics oldest first */
  constructor(metrics: readonly DeployedMetric[]) {
    const composites = new Map<string, PreparedMetric>();
    for (const metric of metrics) {
      const prepared = prepare(metric);
      this.#byId.set(metric.id, prepared);
      if (!metric.enabled_in_prod || !traitsOf(metric).isEvaluated) continue;
      if (traitsOf(metric).hasChildren) composites.set(metric.name, prepared);
      else this.#addJudged(prepared);
    }
    this.composites = [...composites.values()];
    this.combiningSessions = decidingAmong(this.composites);
    this.decidingOnSessions = decidingAmong([...this.#judged.values(), this.composites].flat());
    this.rules = new Map(metrics.map((metric) => [metric.name, { ...metric, is_active: true }]));
  }

  get(metricId: string): PreparedMetric | undefined {
    return this.#byId.get(metricId);
  }

  get all(): Iterable<PreparedMetric> {
    return this.#byId.values();
  }

  get evaluatesNothing(): boolean {
    return this.#judged.size === 0 && this.composites.length === 0;
  }

  /** Returns the metrics without children that may evaluate the event. */
  judgesFor({ event_name: name }: Pick<Event, 'event_name'>): readonly PreparedMetric[] {
    return [...(this.#judged.get(name) ?? []), ...(this.#judged.get(undefined) ?? [])];
  }

  #addJudged(prepared: PreparedMetric): void {
    const name = requiredEventName(prepared.metric);
    const listed = this.#judged.get(name);
    if (listed) listed.push(prepared);
    else this.#judged.set(name, [prepared]);
  }
}

function decidingAmong(metrics: readonly PreparedMetric[]): string {
  return metrics
    .flatMap(({ metric: { id, version }, session }) => (session ? `${id} ${version}` : []))
    .join();
}

/** Most metrics name the events that they evaluate, so that few of thousands are candidates for an event. */
function requiredEventName({ filters }: DeployedMetric): string | undefined {
  const filter = filters.filterArray.find(
    ({ field, operator = 'is', type = 'string' }) =>
      field === EVENT_NAME && operator === 'is' && type === 'string',
  );
  return typeof filter?.value === 'string' && filter.value !== '' ? filter.value : undefined;
}
