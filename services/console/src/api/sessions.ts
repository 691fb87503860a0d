import type { getSessionTree, ResponseOf } from '@assay/contracts';
import { call, send } from './call.js';

export type SessionTree = ResponseOf<typeof getSessionTree>;

export const treeOfSession = (project: string, sessionId: string, signal?: AbortSignal) =>
  call<SessionTree>({
    method: 'GET',
    path: `/v1/sessions/${encodeURIComponent(sessionId)}/tree`,
    project,
    signal,
  });

/** Deletes a session with all its events, including those that arrive later. */
export async function deleteSession(project: string, sessionId: string): Promise<void> {
  await send({ method: 'DELETE', path: `/v1/sessions/${encodeURIComponent(sessionId)}`, project });
}
