import type { ResponseOf, listDataPlanes as route } from '@assay/contracts';
import { toDataPlaneResponse, type DataPlaneCollection } from './data-plane-document.js';

const LIMIT = 1_000;

/** Lists all data planes, including ended ones, newest first. Administrator only. */
export function makeListDataPlanes(deps: { dataPlanes: DataPlaneCollection; now: () => Date }) {
  return async function listDataPlanes(): Promise<ResponseOf<typeof route>> {
    const found = await deps.dataPlanes.list({
      equals: {},
      orderBy: 'created_at',
      descending: true,
      limit: LIMIT,
    });
    return { data_planes: found.map((record) => toDataPlaneResponse(record, deps.now())) };
  };
}
