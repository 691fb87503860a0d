import { makeSessionSeal } from '../src/console/sealed-session.js';

const DAY = 24 * 60 * 60;

/** A key of a project, and how long ago it was entered. */
interface EnteredKey {
  readonly projectId: string;
  readonly key: string;
  readonly daysAgo?: number;
}

/** Returns the cookie of a session with one key, as a process with this secret would set it. */
export function sealedCookie(secret: string, { projectId, key, daysAgo = 0 }: EnteredKey): string {
  const now = Math.floor(Date.now() / 1_000);
  const keys = [{ projectId, key, since: now - daysAgo * DAY }];
  return `__Host-assay=${makeSessionSeal([secret]).seal({ keys, annotator: null, expires: now + DAY })}`;
}
