import type { QueueCounts } from '../api/queues.js';
import { NOTHING_TYPED, type Typed, type WorkItem } from './item.js';

/** What the page says about the last submission. */
export type Saved =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'saving' }
  | { readonly kind: 'saved'; readonly at: number; readonly waits: boolean; readonly skipped: boolean }
  | { readonly kind: 'reopened'; readonly savedAt: number; readonly skipped: boolean }
  | { readonly kind: 'failed' | 'unread'; readonly message: string };

/** An item that the annotator has submitted, with what was said. */
export interface DoneItem {
  readonly item: WorkItem;
  readonly draft: Typed;
  readonly at: number;
  readonly skipped: boolean;
  /** It was done before this page was opened. */
  readonly isEarlier?: boolean;
}

/** What is on the screen. */
export interface WorkState {
  readonly item: WorkItem | undefined;
  readonly draft: Typed;
  /** The item is done, was deleted, or has left the queue: nothing more can be saved about it. */
  readonly isOver: boolean;
  /** The queue was deleted. */
  readonly isQueueGone: boolean;
  /** Who has the item instead, once its lease has ended. */
  readonly lost: string | undefined;
  readonly saved: Saved;
  readonly counts: QueueCounts | undefined;
  /** Items that other annotators have leased. */
  readonly others: number;
  readonly done: readonly DoneItem[];
  /** Which of these is reviewing instead of the item. */
  readonly reviewing: number | undefined;
  /** Items whose lease is kept for later. */
  readonly later: number;
  /** When the first of them returns. */
  readonly laterAt: number | undefined;
  /** No item is open. */
  readonly isEmpty: boolean;
  readonly error: Error | undefined;
}

export const INITIAL: WorkState = {
  ...{ item: undefined, draft: NOTHING_TYPED, isOver: false, lost: undefined, saved: { kind: 'nothing' } },
  ...{ counts: undefined, others: 0, done: [], reviewing: undefined, later: 0, laterAt: undefined },
  ...{ isEmpty: false, isQueueGone: false, error: undefined },
};

/** Submitted items that can be walked through and taken back. */
export const MAX_DONE = 200;

/** The item on the screen, and what was said about it. */
export interface Shown {
  readonly item: WorkItem;
  readonly draft: Typed;
  /** It is looked at, and cannot be changed. */
  readonly isDone: boolean;
}

export function onScreen({ item, draft, done, reviewing }: WorkState): Shown | undefined {
  const reviewed = reviewing === undefined ? undefined : done[reviewing];
  if (reviewed !== undefined) return { item: reviewed.item, draft: reviewed.draft, isDone: true };
  return item && { item, draft, isDone: false };
}
