import { useQuery } from '@tanstack/react-query';
import { statisticsOfQueue, type QueueAddress, type QueueCounts } from '../api/queues.js';
import { formatCount, formatScore } from '../format/number.js';

/** Progress and agreement of a queue. The server reads up to 1,000 events for it: the page keeps it for a while. */
export function useStatistics(queue: QueueAddress) {
  return useQuery({
    queryKey: ['queue statistics', queue.project, queue.queueId],
    queryFn: ({ signal }) => statisticsOfQueue(queue, signal),
    staleTime: 30_000,
  });
}

export const allOf = ({ pending, not_arrived, leased, done, skipped }: QueueCounts) =>
  pending + not_arrived + leased + done + skipped;

/** How many items are done, as a bar and in numbers. */
export function ProgressBar({ counts }: { readonly counts: QueueCounts }) {
  const all = allOf(counts);
  const closed = counts.done + counts.skipped;
  return (
    <span className="queue-progress">
      <progress max={Math.max(1, all)} value={closed} aria-label="Items done" />
      <span>
        {formatCount(closed)} / {formatCount(all)}
      </span>
    </span>
  );
}

/** What a value of kappa is called by Landis and Koch. */
export function kappaText(kappa: number | null): string {
  if (kappa === null) return '—';
  const names = ['slight', 'fair', 'moderate', 'substantial', 'almost perfect'] as const;
  const name = kappa < 0 ? 'less than chance' : (names[Math.min(4, Math.ceil(kappa / 0.2) - 1)] ?? 'slight');
  return `${formatScore(kappa)} ${name}`;
}
