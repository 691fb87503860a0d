import type { ControlPlane } from '@assay/control-plane-client';
import { LRUCache } from 'lru-cache';

export interface DeletedProjectsDeps {
  readonly controlPlane: Pick<ControlPlane, 'deletedProjects'>;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** LRU capacity. A project that was evicted is looked up again with its next record. */
const MAX_PROJECTS = 100_000;
/** Largest number of projects in one call. */
const PROJECTS_PER_CALL = 1_000;
/** Pause after a failed look-up, during which records of new projects do not wait for another one. */
const PAUSE_MS = 30_000;

/**
 * Which projects are deleted, as far as this process knows. A deleted project stays deleted; one that is not is
 * looked up again by {@link update}.
 */
export class DeletedProjects {
  private readonly isDeleted = new LRUCache<string, boolean>({ max: MAX_PROJECTS });
  private pausedUntil = 0;

  constructor(private readonly deps: DeletedProjectsDeps) {}

  has(projectId: string): boolean {
    return this.isDeleted.get(projectId) ?? false;
  }

  /**
   * Looks up the projects that were never looked up. It never fails: while the control plane is unreachable the
   * projects count as existing, because storing must not depend on it.
   */
  async lookUpNew(projectIds: Iterable<string>): Promise<void> {
    const unknown = [...projectIds].filter((id) => !this.isDeleted.has(id));
    if (unknown.length === 0 || this.deps.now() < this.pausedUntil) return;
    try {
      await this.update(unknown);
    } catch {
      this.pausedUntil = this.deps.now() + PAUSE_MS;
    }
  }

  /**
   * Looks up projects again, and returns those among them that are deleted.
   * @throws AppError `UNAVAILABLE`
   */
  async update(projectIds: readonly string[]): Promise<readonly string[]> {
    const existing = projectIds.filter((id) => !this.has(id));
    for (let from = 0; from < existing.length; from += PROJECTS_PER_CALL) {
      const ids = existing.slice(from, from + PROJECTS_PER_CALL);
      const deleted = new Set(await this.deps.controlPlane.deletedProjects(ids));
      for (const id of ids) this.isDeleted.set(id, deleted.has(id));
    }
    return projectIds.filter((id) => this.has(id));
  }
}
