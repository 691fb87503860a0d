import { formatCount } from '../format/number.js';
import { formatTime } from '../format/time.js';
import type { Queue } from '../api/queues.js';
import { usePreferences } from '../theme/preferences.js';
import { Button } from '../ui/button.js';
import { Notice } from '../ui/notice.js';
import type { WorkState } from './work-state.js';

interface Props {
  readonly state: WorkState;
  readonly queue: Queue;
  readonly onTake: () => void;
}

/** Why there is no item, and when there will be one. The page looks for new ones. */
export function NothingOpen({ state, queue, onTake }: Props) {
  const { zone } = usePreferences();
  const { isEmpty, isQueueGone, later, laterAt, counts, others } = state;
  if (isQueueGone)
    return (
      <Notice title="The queue was deleted">
        <p>Nothing more can be saved in it. What was saved before stays with its events.</p>
      </Notice>
    );
  if (!isEmpty) return <p className="step-loading">Leasing an item …</p>;
  return (
    <Notice
      title={later > 0 ? `No item is open but the ${formatCount(later)} that you put off` : 'No item is open'}
      actions={
        later > 0 && <Button kind="primary" label="Continue with the first of them" onPress={onTake} />
      }
    >
      {later > 0 && <p>The first returns at {formatTime(laterAt, zone, laterAt ?? 0).slice(0, 8)}.</p>}
      {others > 0 && <p>{formatCount(others)} are with other annotators.</p>}
      {(counts?.not_arrived ?? 0) > 0 && (
        <p>{formatCount(counts?.not_arrived)} are in the queue whose events have not arrived.</p>
      )}
      <p>
        {queue.enabled && queue.filters.filterArray.length > 0
          ? 'New events that match its filters appear here.'
          : 'The queue takes no new events.'}
      </p>
    </Notice>
  );
}
