import { formatCount } from '../format/number.js';
import { formatTime, type Zone } from '../format/time.js';
import { usePreferences } from '../theme/preferences.js';
import type { Saved, WorkState } from './work-state.js';

interface Props {
  readonly name: string;
  readonly state: WorkState;
  readonly annotator: string;
  /** Absent where the identity provider states the name. */
  readonly onRename: (() => void) | undefined;
}

/** The queue, how far the work is, and whether the last submission was saved. */
export function WorkHead({ name, state, annotator, onRename }: Props) {
  const { zone } = usePreferences();
  const { counts, done, later, others } = state;
  const closed = (counts?.done ?? 0) + (counts?.skipped ?? 0);
  const all = closed + (counts?.pending ?? 0) + (counts?.leased ?? 0);
  const own = done.filter(({ skipped, isEarlier }) => !skipped && !isEarlier).length;
  return (
    <header className="work-head">
      <h2 className="work-name">
        <bdi>{name}</bdi>
      </h2>
      <span className="work-facts">
        {formatCount(own)} done by you here · {formatCount(closed)} of {formatCount(all)} in all
        {others > 0 && ` · ${formatCount(others)} with others`}
        {later > 0 && ` · ${formatCount(later)} put off`}
      </span>
      <span className="work-saved" role="status" data-kind={state.saved.kind}>
        {savedText(state.saved, zone)}
      </span>
      {onRename === undefined ? (
        <span className="work-facts">as {annotator}</span>
      ) : (
        <button type="button" className="text-button" onClick={onRename}>
          as {annotator}
        </button>
      )}
    </header>
  );
}

const clock = (at: number, zone: Zone) => formatTime(at, zone, at).slice(0, 8);

function savedText(saved: Saved, zone: Zone): string {
  switch (saved.kind) {
    case 'nothing':
      return '';
    case 'saving':
      return 'Saving …';
    case 'saved': {
      const what = saved.skipped ? 'Skipped' : 'Saved';
      return `${what} ${clock(saved.at, zone)}${saved.waits ? ' · waits for further annotators' : ''}`;
    }
    case 'reopened':
      return saved.skipped
        ? 'Opened again.'
        : `Opened again. What was saved ${clock(saved.savedAt, zone)} stays until you submit, which replaces it.`;
    case 'failed':
      return `Not saved: ${saved.message}`;
    case 'unread':
      return `What you did before could not be read: ${saved.message}`;
  }
}
