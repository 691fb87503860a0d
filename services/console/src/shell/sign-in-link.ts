import { ApiError } from '../api/call.js';
import { signIn, type ConsoleSession } from '../api/session.js';
import { queries } from './queries.js';
import { sessionQuery } from '../api/use-session.js';

/**
 * Signs in with the one-time code of the address. The code is in the fragment, which browsers do not send, and is removed from the history
 * before anything else happens.
 * @returns undefined without a code; `refused` when it was used before or is too old
 */
export async function signInWithLink(): Promise<ConsoleSession | 'refused' | undefined> {
  const [, code] = /^#code=([\w-]{1,200})$/.exec(location.hash) ?? [];
  if (code === undefined) return undefined;
  history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  try {
    const session = await signIn({ code });
    queries.setQueryData(sessionQuery.queryKey, session);
    return session;
  } catch (error) {
    if (error instanceof ApiError) return 'refused';
    throw error;
  }
}
