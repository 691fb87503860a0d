/**
 * What a key may do. `project`: everything in its project. `ingest`: only send events and sessions of its
 * project.
 */
export const KEY_SCOPES = ['project', 'ingest'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Who sends a request with a project key. The project comes from the key and from nowhere else. */
export interface Caller {
  readonly projectId: string;
  readonly projectName: string;
  readonly keyId: string;
  readonly scope: KeyScope;
}
