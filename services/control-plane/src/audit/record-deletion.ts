import type { ControlPlane } from '@assay/control-plane-client';
import { notFound } from '@assay/errors';
import { askerOf } from './audited-for-data-plane.js';
import type { Audit } from './audit.js';

/** Writes the entry of a deletion before it begins, so that no event is deleted without one. The data plane keeps its filters. */
export function makeRecordDeletion(deps: {
  readonly audit: Audit;
  /** Deleted projects. */
  readonly deletions: { readonly get: (projectId: string) => Promise<unknown> };
}): ControlPlane['recordDeletion'] {
  return async function recordDeletion({ projectId, deletionId, by }) {
    if (await deps.deletions.get(projectId)) throw notFound('project not found');
    await deps.audit(
      { action: 'deletion.started', projectId, subjectId: deletionId, fields: ['filters', 'dateRange'] },
      askerOf(by, projectId),
    );
  };
}
