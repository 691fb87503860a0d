import type { ResponseOf, listDataPlanes as route } from '@assay/contracts';
import { toDataPlaneResponse, type DataPlaneCollection } from './data-plane-document.js';

const MOST = 1_000;

/** All data planes, also those that were ended, newest first. The route lets in the administrator only. */
export function makeListDataPlanes(deps: { dataPlanes: DataPlaneCollection; now: () => Date }) {
  return async function listDataPlanes(): Promise<ResponseOf<typeof route>> {
    const found = await deps.dataPlanes.list({
      equals: {},
      orderBy: 'created_at',
      descending: true,
      limit: MOST,
    });
    return { data_planes: found.map((record) => toDataPlaneResponse(record, deps.now())) };
  };
}
