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
/** Pause between a failed look-up of new projects and the next one. */
const PAUSE_MS = 30_000;
/** How long records of new projects wait for a look-up. */
const MAX_WAIT_MS = 200;

/**
 * Which projects are deleted, as far as this process knows. A deleted project stays deleted; one that is not is
 * looked up again by {@link update}.
 */
export class DeletedProjects {
  private readonly isDeleted = new LRUCache<string, boolean>({ max: MAX_PROJECTS });
  private pausedUntil = 0;
  /** New projects that have to be looked up. */
  private readonly unknown = new Set<string>();
  private lookingUp: Promise<void> | undefined;
  /** Whether the control plane has taken too long for the present look-up. */
  private isSlow = false;

  constructor(private readonly deps: DeletedProjectsDeps) {}

  has(projectId: string): boolean {
    return this.isDeleted.get(projectId) ?? false;
  }

  /**
   * Looks up the projects that were never looked up, in the background, and waits briefly for the result. It never
   * fails: until the control plane responds the projects count as existing, because storing must not depend on it.
   * What is stored of a deleted project meanwhile is removed later.
   */
  async lookUpNew(projectIds: Iterable<string>): Promise<void> {
    for (const id of projectIds)
      if (!this.isDeleted.has(id) && this.unknown.size < MAX_PROJECTS) this.unknown.add(id);
    if (this.unknown.size === 0 || this.deps.now() < this.pausedUntil) return;
    this.lookingUp ??= this.lookUpUnknown();
    if (!this.isSlow) await this.waitBriefly(this.lookingUp);
  }

  private async waitBriefly(lookingUp: Promise<void>): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.isSlow = true;
        resolve();
      }, MAX_WAIT_MS);
    });
    await Promise.race([lookingUp, tooLate]);
    clearTimeout(timer);
  }

  private async lookUpUnknown(): Promise<void> {
    try {
      while (this.unknown.size > 0) {
        const ids = [...this.unknown];
        this.unknown.clear();
        await this.update(ids);
      }
    } catch {
      this.pausedUntil = this.deps.now() + PAUSE_MS;
    }
    this.lookingUp = undefined;
    this.isSlow = false;
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
