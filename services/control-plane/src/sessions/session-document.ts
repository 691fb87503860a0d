import type { ForwardedSession } from '@assay/control-plane-client';
import type { CollectionSpec, Document, DocumentCollection } from '@assay/document-store';
import type { ProjectOwned } from '../shared/project-scoped-collection.js';
import { type StoredSummary, toStoredSummary } from './stored-summary.js';

/**
 * Summary of a session as the data plane forwarded it, redacted, under `<project_id>:<session_id>`. See
 * {@link StoredSummary} for what is left out.
 */
export interface SessionFields extends ProjectOwned, StoredSummary {
  /** Decimal text; of two states of a session the one with the greater number is the newer. */
  readonly watermark: string;
  /** False while the session has no event of its own. */
  readonly is_listed: boolean;
  /** Derived, for queries: true if the session is listed and belongs to a run, and its run ids as one text. */
  readonly has_runs?: true;
  readonly run_key?: string;
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
  sparse: ['has_runs'],
  filtered: ['run_key', 'source_key'],
};

/** Returns the document of a forwarded session. */
export function toSessionFields({
  projectId,
  watermark,
  isListed,
  summary,
}: ForwardedSession): SessionFields {
  const runIds = summary.run_ids;
  return {
    project_id: projectId,
    watermark,
    is_listed: isListed,
    ...(isListed && runIds.length > 0 && { has_runs: true }),
    ...(runIds.length > 0 && { run_key: runIds.map(runKey).join('') }),
    ...toStoredSummary(summary, isListed),
  };
}

/** Returns the text that `run_key` contains if the session belongs to the run. */
export function runKey(runId: string): string {
  return `${JSON.stringify(runId)},`;
}

/** Returns whether the first watermark is the newer one. */
export function isNewer(watermark: string, other: string): boolean {
  return BigInt(watermark) > BigInt(other);
}
