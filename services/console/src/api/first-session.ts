import { getSession, type ConsoleSession } from './session.js';

/** Addresses whose screens need to know who is signed in. A link with a one-time code signs in first. */
const NEEDS_SESSION = /^\/console\/(?:(?:p|api)(?:\/.*)?)?$/;

/** The page imports this before anything else, so that the answer is on its way while its libraries are evaluated. */
let asked = NEEDS_SESSION.test(location.pathname) && location.hash === '' ? getSession() : undefined;
// A failure is handled where the answer is taken.
asked?.catch(() => undefined);

/** Returns the person's session as the page has asked for it when it began; undefined from the second call on. */
export function takeFirstSession(): Promise<ConsoleSession> | undefined {
  const taken = asked;
  asked = undefined;
  return taken;
}
