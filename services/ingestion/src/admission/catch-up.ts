import type { LogPosition } from '@assay/event-log';
import { hasPassed } from './positions.js';

/** An observation of the reader, and the cost of what is not stored. */
export interface ReaderState {
  readonly end: LogPosition;
  readonly position: LogPosition;
  readonly isStalled: boolean;
  readonly unstored: number;
  /** Cost below which the reader is not behind. */
  readonly limit: number;
}

/** A backlog that shrinks by less than this between two passes of the log's end does not shrink. */
const SHRINK_FACTOR = 0.9;

/**
 * Whether the reader works through a backlog that built up while it stood still, or before this process started. The
 * log absorbs it: no project is refused until the reader has passed the end that the log had when progress resumed. What
 * was appended meanwhile is a smaller backlog, and so on, until the reader is not behind. If the backlog does not
 * shrink, more is appended than the reader can store, which no outage explains.
 */
export class CatchUp {
  private target: LogPosition | undefined;
  /** Cost that was not stored when the target was set. What others had appended before the start is unknown. */
  private backlog = Number.POSITIVE_INFINITY;
  private hasStarted = false;

  get isCatchingUp(): boolean {
    return this.target !== undefined;
  }

  observe({ end, position, isStalled, unstored, limit }: ReaderState): void {
    const isBehindAtStart = !this.hasStarted && !hasPassed(position, end);
    this.hasStarted = true;
    if (isStalled || isBehindAtStart) {
      this.target = end;
      this.backlog = isBehindAtStart ? Number.POSITIVE_INFINITY : unstored;
    } else if (this.target !== undefined && hasPassed(position, this.target)) {
      const isShrinking = unstored > limit && unstored < SHRINK_FACTOR * this.backlog;
      this.target = isShrinking ? end : undefined;
      this.backlog = unstored;
    }
  }
}
