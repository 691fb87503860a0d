import { ApiError } from '../api/call.js';
import { signIn, type ConsoleSession } from '../api/session.js';
import { queries } from './queries.js';
import { sessionQuery } from '../api/use-session.js';

/**
 * The one-time code of a link. It is in the fragment, which browsers do not send. This module is loaded before the router listens to the
 * history, and removes the code from it first of all.
 */
let code = takeCode();

/**
 * Signs in with the code of the address, once.
 * @returns undefined without a code; `refused` when it was used before or is too old
 */
export async function signInWithLink(): Promise<ConsoleSession | 'refused' | undefined> {
  if (code === undefined) return undefined;
  const used = code;
  code = undefined;
  try {
    const session = await signIn({ code: used });
    queries.setQueryData(sessionQuery.queryKey, session);
    return session;
  } catch (error) {
    if (error instanceof ApiError) return 'refused';
    throw error;
  }
}

function takeCode(): string | undefined {
  const [, found] = /^#code=([\w-]{1,200})$/.exec(location.hash) ?? [];
  if (found !== undefined) history.replaceState(history.state, '', `${location.pathname}${location.search}`);
  return found;
}
