/** Pages that are held at a time, of one project and of all: a page has up to 16 MiB of payloads. */
const MAX_PER_PROJECT = 8;
const MAX_TOTAL = 32;
/** Bytes of payloads of each further page: about what a response collects before it is sent. */
const SMALL_BYTES = 256 * 1024;

/**
 * Counts the pages that are held in memory while slow clients receive them. Beyond the bound only small ones are held; larger pages
 * are read in parts, as fast as their clients take them.
 */
export class HeldPages {
  readonly #byProject = new Map<string, number>();
  #total = 0;

  /** Bound on the payloads of the next page that is held, in bytes. */
  maxBytes(projectId: string): number {
    const isFull = this.#total >= MAX_TOTAL || (this.#byProject.get(projectId) ?? 0) >= MAX_PER_PROJECT;
    return isFull ? SMALL_BYTES : Infinity;
  }

  /** Counts a page. Call the returned function when it is sent, also after a failure. It is idempotent. */
  hold(projectId: string): () => void {
    this.#add(projectId, 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#add(projectId, -1);
      isHeld = false;
    };
  }

  #add(projectId: string, pages: number): void {
    this.#total += pages;
    const ofProject = (this.#byProject.get(projectId) ?? 0) + pages;
    if (ofProject === 0) this.#byProject.delete(projectId);
    else this.#byProject.set(projectId, ofProject);
  }
}
