import { listSessions } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeListSessions } from './list-sessions.js';
import type { SessionCollection } from './session-document.js';

/**
 * Binds the routes of the data plane that the control plane answers from redacted summaries when clients call it
 * directly.
 */
export function redactedSessionRoutes(deps: { readonly sessions: SessionCollection }): Binding[] {
  return [bind(listSessions, makeListSessions(deps))];
}
