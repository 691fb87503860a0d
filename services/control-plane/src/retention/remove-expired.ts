import type { ControlPlane } from '@assay/control-plane-client';
import type { ProjectCollection } from '../identity/projects/project-document.js';
import { makeReferencedEvents, type ReferencedDeps } from './referenced-events.js';

export interface RemoveExpiredDeps extends ReferencedDeps {
  readonly projects: ProjectCollection;
  /** Removes events from all queues. */
  readonly removeFromQueues: (projectId: string, eventIds: readonly string[]) => Promise<void>;
}

/** Removes expired events from the queues. What the project keeps stays there too. */
export function makeRemoveExpired(deps: RemoveExpiredDeps): ControlPlane['removeExpired'] {
  const referencedEvents = makeReferencedEvents(deps);
  return async function removeExpired(request) {
    const { projectId, expired, removesKept = false } = request;
    const project = removesKept ? undefined : await deps.projects.get(projectId);
    const kept = project?.keep_referenced === true ? await referencedEvents(request) : [];
    const stays = new Set(kept);
    const removed = expired.map(({ eventId }) => eventId).filter((id) => !stays.has(id));
    await deps.removeFromQueues(projectId, removed);
    return kept;
  };
}
