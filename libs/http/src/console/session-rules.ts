import type { Session, SessionKey } from './sealed-session.js';

/** A session ends after this time without use, in seconds. */
export const IDLE_SECONDS = 12 * 60 * 60;
/** A key has to be entered again after this time, in seconds. */
export const KEY_SECONDS = 7 * 24 * 60 * 60;
export const MAX_KEYS = 8;

/** Returns the session without keys that have to be entered again, and without a person whose time is over; undefined when it has ended. */
export function stillValid(session: Session | undefined, now: number): Session | undefined {
  if (session === undefined || session.expires <= now) return undefined;
  const keys = session.keys.filter(({ since }) => since + KEY_SECONDS > now);
  const { person: signedIn, ...rest } = session;
  const person = signedIn !== undefined && signedIn.expires > now ? signedIn : undefined;
  if (keys.length === 0 && person === undefined) return undefined;
  return { ...rest, keys, ...(person && { person }) };
}

/** Returns the session with another key: one for each project, and the oldest leaves for a ninth. */
export function withKey(session: Session | undefined, added: SessionKey): readonly SessionKey[] {
  const others = (session?.keys ?? []).filter(({ projectId }) => projectId !== added.projectId);
  return [...others, added].slice(-MAX_KEYS);
}

/** When a session that is used now ends: it does not outlive the last of its keys, or its person. */
export function expiryOf({ keys, person }: Pick<Session, 'keys' | 'person'>, now: number): number {
  const ends = [...keys.map(({ since }) => since + KEY_SECONDS), ...(person ? [person.expires] : [])];
  return Math.min(now + IDLE_SECONDS, Math.max(...ends));
}
