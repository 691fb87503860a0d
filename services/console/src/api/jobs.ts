import type { getJob, listJobs as listing, ResponseOf } from '@assay/contracts';
import { call } from './call.js';

export type Job = ResponseOf<typeof getJob>['job'];

const pathOf = (jobId: string) => `/v1/jobs/${encodeURIComponent(jobId)}`;

export const readJob = (project: string, jobId: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof getJob>>({ method: 'GET', path: pathOf(jobId), project, signal });

export const listJobs = (project: string, signal?: AbortSignal) =>
  call<ResponseOf<typeof listing>>({ method: 'GET', path: '/v1/jobs', project, signal });

export const stopJob = (project: string, jobId: string) =>
  call<unknown>({ method: 'DELETE', path: pathOf(jobId), project });
