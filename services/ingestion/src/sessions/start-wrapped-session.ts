import { compile, lenientSession, type startWrappedSession } from '@assay/contracts';
import type { Operation } from '@assay/http';
import { makeUnwrap } from '../events/lenient-input.js';
import { withoutNulls } from '../events/without-nulls.js';
import type { IngestionDeps } from '../shared/ingestion-deps.js';
import { storeSession } from './store-session.js';

/** Starts the session that stands under `session`, as an object or as its JSON. */
export function makeStartWrappedSession(deps: IngestionDeps): Operation<typeof startWrappedSession> {
  const unwrap = makeUnwrap('session', compile(lenientSession(), 'session'));
  return ({ body }, { caller, headers }) => {
    const session = withoutNulls(unwrap(body.session));
    return storeSession(
      deps,
      { caller, headers, operation: 'startWrappedSession', content: body },
      session,
      'session.',
    );
  };
}
