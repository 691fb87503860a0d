import type { getUsage, listSessions, ResponseOf } from '@assay/contracts';
import { call } from './call.js';

export type SummaryPage = ResponseOf<typeof listSessions>;
export type SessionSummary = SummaryPage['sessions'][number];
export type Usage = ResponseOf<typeof getUsage>;

export const pageOfSummaries = (
  project: string,
  query: { readonly dateRange: string | object; readonly cursor?: string | undefined },
  signal?: AbortSignal,
) => call<SummaryPage>({ method: 'GET', path: '/v1/sessions', project, query, signal });

export const usageOf = (project: string, dateRange: string | object, signal?: AbortSignal) =>
  call<Usage>({ method: 'GET', path: '/v1/usage', project, query: { dateRange }, signal });
