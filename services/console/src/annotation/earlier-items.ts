import { itemsOfQueue, type QueueItem } from '../api/queues.js';
import { toWorkItem, type WorkItem } from './item.js';
import type { Worker } from './leases.js';
import type { FieldValue, Values } from './fields.js';
import type { DoneItem } from './work-state.js';

/** Entries of one request, and requests for the newest entries of the queue, beside the one for the oldest. */
const PAGE = 50;
const MAX_PAGES = 3;

/**
 * Reads what the annotator did before this page was opened, what was done last at the end: of a long queue the oldest
 * and the newest entries. Those that wait for further annotators come last, as other people complete the older ones.
 */
export async function earlierItems({ queue, annotator }: Worker): Promise<readonly DoneItem[]> {
  const read = (done: boolean, page: number) => itemsOfQueue(queue, { done, page, limit: PAGE });
  const [oldest, waiting] = await Promise.all([read(true, 1), read(false, 1)]);
  const last = Math.ceil(oldest.total / PAGE);
  const first = Math.max(2, last - MAX_PAGES + 1);
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, nth) => first + nth);
  const newest = await Promise.all(numbers.map((page) => read(true, page)));
  const closed = [oldest, ...newest].flatMap(({ events }) => events).sort((a, b) => timeOf(a) - timeOf(b));
  return [...closed, ...waiting.events]
    .filter((entry) => entry.annotator === annotator || entry.annotators?.includes(annotator) === true)
    .map((entry) => toDoneItem(entry, { queueId: queue.queueId, annotator }));
}

const timeOf = (entry: QueueItem) => Date.parse(entry.done_at ?? entry.added_at);

interface Author {
  readonly queueId: string;
  readonly annotator: string;
}

function toDoneItem(entry: QueueItem, { queueId, annotator }: Author): DoneItem {
  const item = toWorkItem(entry, Date.now());
  const judgement = judgementOf(item, annotator);
  const note = judgement.find(([name]) => name === queueId)?.[1];
  const values = judgement.filter((one): one is [string, FieldValue] => isFieldValue(one[1]));
  return {
    ...{ item, skipped: entry.status === 'skipped', isEarlier: true, at: timeOf(entry) },
    draft: { values: Object.fromEntries(values) satisfies Values, comment: commentOf(note) },
  };
}

/** What the event keeps of one annotator, by name of a metric or id of a queue. */
function judgementOf({ feedback }: WorkItem, annotator: string): readonly [string, unknown][] {
  const own = `@${annotator}`;
  return Object.entries(feedback)
    .filter(([name]) => name.endsWith(own))
    .map(([name, value]) => [name.slice(0, -own.length), value]);
}

const isFieldValue = (value: unknown): value is FieldValue =>
  ['string', 'number', 'boolean'].includes(typeof value);

function commentOf(note: unknown): string {
  const comment = typeof note === 'object' && note !== null && 'comment' in note ? note.comment : undefined;
  return typeof comment === 'string' ? comment : '';
}
