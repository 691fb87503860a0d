import type { ActiveLimits } from './ingest-limits.js';
/**
 * Scope of a key. `project`: every operation in its project. `ingest`: only creating events and sessions
 * of its project and updating them.
 */
export const KEY_SCOPES = ['project', 'ingest'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Sender of a request with a project key. The project is determined by the key alone. */
export interface Caller {
  readonly projectId: string;
  readonly projectName: string;
  /** Of a person, see {@link keyIdOfPerson}. */
  readonly keyId: string;
  /** Name of the person, as the identity provider states it; absent where a key calls. */
  readonly person?: string;
  readonly scope: KeyScope;
  /** The only permissions of the key, such as `events:read`; unknown ones grant nothing. Absent: all of its scope. */
  readonly permissions?: readonly string[];
  /** When the key expires, ISO 8601. Absent: never, or it is not known. */
  readonly expiresAt?: string;
  /** How much the project may send; absent: no limit. */
  readonly projectLimits?: ActiveLimits;
  /** How much this key may send; absent: no limit of its own. */
  readonly keyLimits?: ActiveLimits;
}
