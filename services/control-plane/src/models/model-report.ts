import type { internalApi } from '@assay/contracts';
import type { ControlPlane } from '@assay/control-plane-client';
import type { CollectionSpec, DocumentCollection } from '@assay/document-store';
import { insertIfAbsent } from '../shared/insert-if-absent.js';

/** The models that one process could call at a time, stored under the ids of its data plane and the process. */
export interface ModelReportFields extends Omit<internalApi.ModelReport, 'owner'> {
  /** Null within one process. */
  readonly data_plane_id: string | null;
  /** Unix milliseconds. */
  readonly reported_at: number;
}
export type ModelReportCollection = DocumentCollection<ModelReportFields>;

export const MODEL_REPORT_COLLECTION: CollectionSpec = {
  name: 'model_reports',
  unique: [],
  indexes: [['reported_at'], ['data_plane_id', 'reported_at']],
};

export interface ModelReportDeps {
  readonly modelReports: ModelReportCollection;
  readonly now: () => Date;
}

/** Between the ids of a data plane and of its process; the former contains none. */
const SEPARATOR = '/';

/** Returns the data plane of a stored report; null within one process. */
export function dataPlaneOfReport(id: string): string | null {
  return id.slice(0, id.indexOf(SEPARATOR)) || null;
}

/** Age from which a report says nothing. */
export const REPORT_AGE_MS = 30_000;
/** Reports of one data plane: of more processes only the newest count. */
export const MAX_REPORTS_OF_DATA_PLANE = 64;
/** Reports that one report removes. */
const REMOVAL_BATCH_SIZE = 100;

/**
 * Returns an operation that stores the report of a process in place of its previous one, and removes those of ended processes, and the oldest
 * ones of a data plane that has too many.
 */
export function makeReportModels({ modelReports, now }: ModelReportDeps): ControlPlane['reportModels'] {
  return async function reportModels({ owner, dataPlaneId, ...report }) {
    const reported_at = now().getTime();
    const id = `${dataPlaneId ?? ''}${SEPARATOR}${owner}`;
    const fields = { ...report, data_plane_id: dataPlaneId ?? null, reported_at };
    const before = await modelReports.get(id);
    // A concurrent report of the same process is as new as this one.
    if (before) await modelReports.replace({ ...fields, id, version: before.version });
    else await insertIfAbsent(modelReports, id, fields);
    const ended = await modelReports.entries({
      equals: {},
      where: [{ field: 'reported_at', to: reported_at - 10 * REPORT_AGE_MS }],
      orderBy: 'reported_at',
      limit: REMOVAL_BATCH_SIZE,
    });
    const excess = await modelReports.entries({
      equals: { data_plane_id: fields.data_plane_id },
      orderBy: 'reported_at',
      descending: true,
      offset: MAX_REPORTS_OF_DATA_PLANE,
      limit: REMOVAL_BATCH_SIZE,
    });
    const removed = new Set([...ended, ...excess].map((entry) => entry.id));
    if (removed.size > 0) await modelReports.deleteAll([...removed]);
  };
}
