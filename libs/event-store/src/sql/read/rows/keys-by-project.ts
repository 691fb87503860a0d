import type { EventKey } from '../../../event-store.js';
import { chunks } from './chunks.js';
import { isStoredId } from './stored-id.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;

/** Events of one project; few enough for one statement. */
export interface StatesScope {
  readonly projectId: string;
  readonly ids: readonly string[];
}

/** Splits keys into the scopes of statements. */
export function scopesOf(keys: readonly EventKey[]): StatesScope[] {
  return [...byProject(keys)].flatMap(([projectId, eventIds]) =>
    chunks([...eventIds], IDS_PER_QUERY).map((ids) => ({ projectId, ids })),
  );
}

/** Ids that can be stored, by project. */
export function byProject(keys: readonly EventKey[]): Map<string, Set<string>> {
  const projects = new Map<string, Set<string>>();
  for (const { projectId, eventId } of keys) {
    if (!isStoredId(eventId)) continue;
    const ids = projects.get(projectId) ?? new Set();
    projects.set(projectId, ids.add(eventId));
  }
  return projects;
}
