import { listSessions } from '@assay/contracts';
import { bind, type Binding } from '@assay/http';
import { makeListSessions, type ListSessionsDeps } from './list-sessions.js';

/**
 * Binds the routes of the data plane that the control plane answers from redacted summaries when clients call it
 * directly.
 */
export function redactedSessionRoutes(deps: ListSessionsDeps): Binding[] {
  return [bind(listSessions, makeListSessions(deps))];
}
