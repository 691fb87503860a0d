import { forwardSessions, getSession, getSessionTree, listSessions } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { makeForwardStoredSessions } from './forward-stored-sessions.js';
import { makeGetSession } from './get-session.js';
import { makeGetSessionTree } from './get-session-tree.js';
import { makeListSessions } from './list-sessions.js';

export function sessionRoutes(deps: DataPlaneDeps): Binding[] {
  return [
    bind(getSession, makeGetSession(deps)),
    bind(getSessionTree, makeGetSessionTree(deps)),
    bind(listSessions, makeListSessions(deps)),
    bind(forwardSessions, makeForwardStoredSessions(deps)),
  ];
}
