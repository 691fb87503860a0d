import type { ForwardedSession } from '@assay/control-plane-client';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { SessionSummary } from '@assay/domain';
import { usageKey } from '../usage/usage-key.js';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';

/** Summary of a session as the data plane forwarded it, redacted, under `<project_id>:<session_id>`. */
export interface SessionFields extends ProjectOwned, Readonly<SessionSummary> {
  /** Decimal text; of two states of a session the one with the greater number is the newer. */
  readonly watermark: string;
  /** False while the session has no event of its own. */
  readonly is_listed: boolean;
  /** Derived, for queries: whether the session is listed and belongs to a run, its run ids as one text, and the source. */
  readonly has_runs: boolean;
  readonly run_key: string;
  readonly source_key: string;
  /** Derived, for queries: see `usageKey`; null in documents of earlier releases. */
  readonly usage_key: string | null;
}
export type SessionDocument = Document<SessionFields>;
export type SessionCollection = DocumentCollection<SessionFields>;

export const SESSION_COLLECTION: CollectionSpec = {
  name: 'sessions',
  unique: [],
  indexes: [
    ['project_id', 'is_listed', 'start_time'],
    ['project_id', 'is_listed', 'source_key', 'start_time'],
    ['project_id', 'has_runs', 'start_time'],
    ['project_id', 'usage_key'],
  ],
  filtered: ['run_key', 'source_key'],
};

const MAX_KEY_LENGTH = 200;

/** Returns the document of a forwarded session. */
export function toSessionFields({
  projectId,
  watermark,
  isListed,
  summary,
}: ForwardedSession): SessionFields {
  return {
    project_id: projectId,
    session_id: summary.session_id,
    session_name: summary.session_name,
    source: summary.source,
    start_time: summary.start_time,
    end_time: summary.end_time,
    duration: summary.duration,
    num_events: summary.num_events,
    num_model_events: summary.num_model_events,
    num_tool_events: summary.num_tool_events,
    num_chain_events: summary.num_chain_events,
    num_errors: summary.num_errors,
    event_names: summary.event_names,
    metrics: summary.metrics,
    run_ids: summary.run_ids,
    days: summary.days,
    watermark,
    is_listed: isListed,
    has_runs: isListed && summary.run_ids.length > 0,
    run_key: summary.run_ids.map(runKey).join(''),
    source_key: sourceKey(summary.source),
    usage_key: usageKey(summary, isListed),
  };
}

/** Returns the text that `run_key` contains if the session belongs to the run. */
export function runKey(runId: string): string {
  return `${JSON.stringify(runId)},`;
}

export function sourceKey(source: string): string {
  return source.slice(0, MAX_KEY_LENGTH);
}

/** Returns whether the first watermark is the newer one. */
export function isNewer(watermark: string, other: string): boolean {
  return BigInt(watermark) > BigInt(other);
}
