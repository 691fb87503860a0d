import type { RunResponse } from '@assay/contracts';
import { datasetOfRun } from '@assay/domain';
import { versionOf, type DatasetFields, type DatasetCollection } from '../datasets/dataset-document.js';
import { ProjectScopedCollection } from '../shared/project-scoped-collection.js';
import type { Run, RunFields, RunCollection } from './run-document.js';

export interface RunDeps {
  readonly runs: RunCollection;
  readonly datasets: DatasetCollection;
  readonly now: () => Date;
}

/** Runs of one project and their responses. */
export class RunRepository {
  readonly collection: ProjectScopedCollection<RunFields>;
  private readonly datasets: ProjectScopedCollection<DatasetFields>;

  constructor(deps: RunDeps, projectId: string) {
    this.collection = new ProjectScopedCollection(deps.runs, projectId);
    this.datasets = new ProjectScopedCollection(deps.datasets, projectId);
  }

  /** Returns the present version of a dataset; null if there is no such dataset. */
  async datasetVersion(id: string | null | undefined): Promise<number | null> {
    const dataset = id ? await this.datasets.get(id) : undefined;
    return dataset ? versionOf(dataset) : null;
  }

  /** Returns the responses of these runs, with the current names of their datasets. */
  async toResponses(runs: readonly Run[]): Promise<RunResponse[]> {
    const ids = [...new Set(runs.flatMap(({ dataset_id }) => dataset_id ?? []))];
    const nameOf = new Map<string, string>();
    for await (const page of this.datasets.pagesByIds(ids))
      for (const { id, name } of page) nameOf.set(id, name);
    return runs.map((run) =>
      toRunResponse(run, (run.dataset_id !== null && nameOf.get(run.dataset_id)) || null),
    );
  }

  async toSingleResponse(run: Run): Promise<{ evaluation: RunResponse }> {
    const [evaluation] = await this.toResponses([run]);
    if (!evaluation) throw new Error('expected one response for one run');
    return { evaluation };
  }
}

function toRunResponse(run: Run, dataset_name: string | null): RunResponse {
  const {
    project_id,
    run_id,
    name,
    description,
    status,
    metadata,
    results,
    configuration,
    event_ids,
    dataset_version = null,
    created_at,
    updated_at,
  } = run;
  return {
    id: run_id,
    run_id,
    name,
    description,
    status,
    is_active: true,
    metadata,
    results,
    metrics: {},
    configuration,
    event_ids: [...event_ids],
    dataset_id: datasetOfRun(run),
    dataset_name,
    dataset_version,
    scope_type: 'project',
    scope_id: project_id,
    created_at,
    updated_at,
  };
}
