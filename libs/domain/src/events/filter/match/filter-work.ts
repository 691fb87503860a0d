/** Characters that the filters of a project may read of one event. */
const MAX_WORK_PER_EVENT = 16 * 1024 * 1024;
/** Characters that the filters of a project may read of the events of one batch, beyond which each event has the least. */
const MAX_WORK_PER_BATCH = 64 * 1024 * 1024;
const MIN_WORK_PER_EVENT = 1024 * 1024;

/** What the filters of a project may read of one event. Filters that exceed it are not decided. */
export interface FilterWork {
  /** Takes characters to read; returns whether there are so many left. If not, nothing is taken. */
  take(characters: number): boolean;
}

/** For filters that a request evaluates on few events, and that its own limits bound. */
export const UNLIMITED_WORK: FilterWork = { take: () => true };

/** The work that the filters of one project may do for a batch of events. */
export class BatchWork {
  #left = MAX_WORK_PER_BATCH;

  /** Returns what the filters may read of one event. */
  forEvent(): FilterWork {
    let taken = 0;
    return {
      take: (characters) => {
        const max = Math.max(MIN_WORK_PER_EVENT, Math.min(MAX_WORK_PER_EVENT, taken + this.#left));
        if (taken + characters > max) return false;
        taken += characters;
        this.#left -= characters;
        return true;
      },
    };
  }
}
