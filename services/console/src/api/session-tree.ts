import type { getSessionTree, listEventEvaluations, ResponseOf } from '@assay/contracts';
import { callExact, send } from './call.js';
import { parseExact, withNumbers } from './parse-exact.js';

export type TreePage = ResponseOf<typeof getSessionTree>;
export type Evaluation = ResponseOf<typeof listEventEvaluations>['evaluations'][number];

export interface TreeRequest {
  readonly project: string;
  readonly sessionId: string;
  readonly cursor?: string;
  /** Tag of the tree that the page has. */
  readonly tag?: string;
  readonly signal?: AbortSignal;
}

export interface TaggedPage {
  readonly page: TreePage;
  readonly tag: string;
}

/** Reads one page of the events of a session. Undefined: the page is as the tag says. */
export async function readTreePage(request: TreeRequest): Promise<TaggedPage | undefined> {
  const { project, sessionId, cursor, tag, signal } = request;
  const response = await send({
    ...{ method: 'GET', project, signal, query: { cursor } },
    path: `/v1/sessions/${encodeURIComponent(sessionId)}/tree`,
    ...(tag !== undefined && { headers: { 'If-None-Match': tag } }),
  });
  if (response.status === 304) return undefined;
  const page = withNumbers(parseExact(await response.text()) as TreePage);
  const session = page.session && withNumbers(page.session);
  return { page: { ...page, session }, tag: response.headers.get('ETag') ?? '' };
}

export const evaluationsOfEvent = (project: string, eventId: string, signal?: AbortSignal) =>
  callExact<ResponseOf<typeof listEventEvaluations>>({
    ...{ method: 'GET', project, signal },
    path: `/v1/events/${encodeURIComponent(eventId)}/evaluations`,
  });
