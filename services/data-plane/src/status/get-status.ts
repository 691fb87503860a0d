import type { getStatus, internalApi, StatusResponse } from '@assay/contracts';
import type { ActiveLimits, Caller, JsonObject } from '@assay/domain';
import type { Operation } from '@assay/http';
import {
  EVALUATE_GROUP,
  FORWARD_GROUP,
  STORE_GROUP,
  type LogProgress,
  type Stage,
  type StageCounts,
} from '@assay/log-readers';
import { providerStates } from './provider-states.js';

/** What a process knows of itself for `GET /v1/status`. */
export interface ProcessStatus {
  readonly version: string;
  readonly plane: StatusResponse['plane'];
  readonly redactValues: boolean;
  readonly redactNames: boolean;
  readonly redactNumbers: boolean;
  readonly redactFields: readonly string[];
  /** Whether there is an object store for exports. */
  readonly objectExport: boolean;
  /** By name, in the units that the names state. */
  readonly limits: JsonObject;
  /** What was sent under the limits of a caller; absent: another process counts it. */
  readonly ingestUsage?: ((caller: Caller) => IngestCounts | undefined) | undefined;
  /** Never rejects, and responds within a bound. */
  readonly evaluation: () => Promise<EvaluatorView>;
}

/** Counts under the limits of a project and of a key; absent: none. */
export interface IngestCounts {
  readonly project?: LimitCounts | undefined;
  readonly key?: LimitCounts | undefined;
}
type LimitCounts = Pick<StatusResponse['ingest_limits']['key'], 'bytes_today' | 'refused_requests'>;

/** What the evaluator reports of itself, of all projects, or why that is not known. */
export type EvaluatorView =
  | (internalApi.EvaluatorStatus & { readonly evaluator_reason: null })
  | { readonly python: null; readonly providers: null; readonly evaluator_reason: string };

export interface StatusDeps {
  readonly process: ProcessStatus;
  readonly progress: LogProgress;
  /** Groups that read the log. */
  readonly groups: readonly string[];
  /** Counts by project; absent in an installation of several processes, where the positions of the log count all projects. */
  readonly counts?: StageCounts;
  /** Size of the store as a project may see it; absent: it has no limit. */
  readonly storeOf?: ((projectId: string) => NonNullable<StatusResponse['store']>) | undefined;
  /** Unix milliseconds. */
  readonly now: () => number;
}

const FIVE_MINUTES = 5 * 60 * 1_000;
const HOUR = 60 * 60 * 1_000;

const GROUPS: Readonly<Record<Stage, string | undefined>> = {
  accepted: undefined,
  stored: STORE_GROUP,
  evaluated: EVALUATE_GROUP,
  forwarded: FORWARD_GROUP,
};

/** Returns what the process knows of itself and of the log. Reads counters and positions only. */
export function makeGetStatus(deps: StatusDeps): Operation<typeof getStatus> {
  return async (_request, { caller }) => {
    const { process, progress, now } = deps;
    const [evaluation] = await Promise.all([process.evaluation(), progress.look()]);
    const stages = (['accepted', 'stored', 'evaluated', 'forwarded'] as const).filter(
      (name) => name === 'accepted' || deps.groups.includes(GROUPS[name] ?? ''),
    );
    return {
      version: process.version,
      plane: process.plane,
      now: new Date(now()).toISOString(),
      since: isoOrNull(progress.since),
      queryable_until: isoOrNull(progress.completeUntil(STORE_GROUP)),
      redaction: {
        redact_values: process.redactValues,
        redact_names: process.redactNames,
        redact_numbers: process.redactNumbers,
        redact_fields: [...process.redactFields],
      },
      object_export: process.objectExport,
      limits: process.limits,
      ingest_limits: ingestLimits(caller, process.ingestUsage?.(caller)),
      store: deps.storeOf?.(caller.projectId) ?? null,
      stages: stages.map((name) => stageOf(deps, name, caller.projectId)),
      ...evaluationOf(evaluation, caller.projectId),
    };
  };
}

const NOT_COUNTED: LimitCounts = { bytes_today: null, refused_requests: null };

function ingestLimits({ projectLimits, keyLimits }: Caller, counts: IngestCounts = {}) {
  const of = (limits: ActiveLimits = {}, counted = NOT_COUNTED) => ({
    events_per_second: limits.events_per_second ?? null,
    bytes_per_day: limits.bytes_per_day ?? null,
    ...counted,
  });
  return { project: of(projectLimits, counts.project), key: of(keyLimits, counts.key) };
}

/** Returns the part of the status that the evaluator knows, as the project may see it. */
function evaluationOf(
  view: EvaluatorView,
  projectId: string,
): Pick<StatusResponse, 'python' | 'providers' | 'provider_states' | 'evaluator_reason'> {
  const { python, providers, evaluator_reason } = view;
  const provider_states = view.providers === null ? null : providerStates(view, projectId);
  return { python, providers, provider_states, evaluator_reason };
}

function stageOf({ counts, progress }: StatusDeps, name: Stage, projectId: string) {
  const group = GROUPS[name];
  const lag = group === undefined ? undefined : progress.lag(group);
  const count = (periodMs: number) =>
    counts ? counts.count(name, projectId, periodMs) : progress.passed(periodMs, group);
  return {
    name,
    scope: counts ? ('project' as const) : ('installation' as const),
    last_5_minutes: count(FIVE_MINUTES),
    last_hour: count(HOUR),
    total: counts ? counts.total(name, projectId) : progress.total(group),
    lag_records: lag?.records ?? null,
    lag_seconds: lag?.seconds ?? null,
  };
}

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
