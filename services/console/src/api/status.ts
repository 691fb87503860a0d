import type { StatusResponse } from '@assay/contracts';
import { call } from './call.js';

export type Status = StatusResponse;

export const getStatus = (project: string, signal?: AbortSignal) =>
  call<Status>({ method: 'GET', path: '/v1/status', project, signal });

/** Returns a number that grows with every record that was stored; undefined when the server has none. */
export function storedTotal({ stages }: Status): number | undefined {
  const stage: { readonly name: string; readonly total?: number } | undefined = stages.find(
    ({ name }) => name === 'stored',
  );
  return stage?.total;
}
