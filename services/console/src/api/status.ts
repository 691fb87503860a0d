import type { StatusResponse } from '@assay/contracts';
import { call } from './call.js';

export type Status = StatusResponse;

export const getStatus = (project: string, signal?: AbortSignal) =>
  call<Status>({ method: 'GET', path: '/v1/status', project, signal });

/** Returns a number that grows with every record that was stored; undefined when the server does not know it. */
export function storedTotal({ stages }: Status): number | undefined {
  return stages.find(({ name }) => name === 'stored')?.total ?? undefined;
}
