import type { FilterInput } from '@assay/domain';

/** The condition that events belong to an experiment run; none when no run is named. */
export function ofRun(runId: string | undefined): FilterInput[] {
  return runId === undefined
    ? []
    : [{ field: 'metadata.run_id', operator: 'is', value: runId, type: 'string' }];
}
