import type { AuditEntryResponse, listAuditEntries, listDataPlanes, ResponseOf } from '@assay/contracts';
import { call, type Call } from './call.js';

export type AuditEntry = AuditEntryResponse;
export type DataPlane = ResponseOf<typeof listDataPlanes>['data_planes'][number];

const PATH = '/console/session/administration';
const HEADERS = { 'Assay-Administration': 'true' };

/** Sends a request of the administrator. The server refuses it with 403 while administration is locked. @throws ApiError, OfflineError */
export const callAsAdministrator = <Response>(request: Omit<Call, 'project' | 'headers'>) =>
  call<Response>({ ...request, headers: HEADERS });

/** Unlocks the routes of the administrator for an hour. */
export const unlockAdministration = (token: string) =>
  call<{ unlocked_until: string }>({ method: 'POST', path: PATH, body: { admin_token: token } });

export const lockAdministration = () => call<unknown>({ method: 'DELETE', path: PATH });

export const auditTrail = (
  query: { readonly action?: string | undefined; readonly cursor?: string | undefined },
  signal?: AbortSignal,
) =>
  callAsAdministrator<ResponseOf<typeof listAuditEntries>>({
    ...{ method: 'GET', path: '/v1/audit-entries', query: { ...query, limit: 50 }, signal },
  });

export const allDataPlanes = (signal?: AbortSignal) =>
  callAsAdministrator<ResponseOf<typeof listDataPlanes>>({ method: 'GET', path: '/v1/data-planes', signal });
