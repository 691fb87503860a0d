import { forwardSessions, getSession, getSessionTree, listSessions } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeBindRecorded } from '../shared/bind-recorded.js';
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
    // Its pages are one action.
    makeBindRecorded(deps)(forwardSessions, makeForwardStoredSessions(deps), ({ body }) =>
      body.cursor === undefined
        ? { action: 'sessions.forwarding_started', subjectId: body.project_id }
        : undefined,
    ),
  ];
}
