import { keyNames, type CommandId } from '../keyboard/commands.js';
import type { WorkItem } from './item.js';
import type { WorkState } from './work-state.js';

const HINTS: readonly (readonly [label: string, ...ids: CommandId[]])[] = [
  ['field', 'fieldPrevious', 'fieldNext'],
  ['submit, next', 'itemSubmit'],
  ['skip', 'itemSkip'],
  ['later', 'itemLater'],
  ['comment', 'itemComment'],
  ['done items', 'doneOlder', 'doneNewer'],
  ['undo', 'undo'],
  ['guidelines', 'guidelines'],
  ['all keys', 'help'],
];
const LAST_MINUTE_MS = 60_000;

interface Props {
  readonly item: WorkItem | undefined;
  readonly state: Pick<WorkState, 'lost' | 'isOver' | 'isQueueGone'>;
  readonly now: number;
}

/** The keys, and how long the item is this person's. */
export function WorkFoot({ item, state, now }: Props) {
  return (
    <footer className="session-foot">
      <span className="session-hints">
        {HINTS.map(([label, ...ids]) => (
          <span key={label}>
            {ids.map((id) => (
              <kbd key={id}>{keyNames(id)[0]}</kbd>
            ))}{' '}
            {label}
          </span>
        ))}
      </span>
      {item !== undefined && <LeaseText leftMs={item.leaseEndsAt - now} state={state} />}
    </footer>
  );
}

interface LeaseProps extends Pick<Props, 'state'> {
  readonly leftMs: number;
}

function LeaseText({ leftMs, state: { lost, isOver, isQueueGone } }: LeaseProps) {
  if (isOver)
    return (
      <span className="work-lease-lost" role="alert">
        {isQueueGone ? 'The queue was deleted' : 'Nothing more can be saved about this item'}. What you typed
        stays here until <kbd>{keyNames('itemSubmit')[0]}</kbd> continues.
      </span>
    );
  if (lost !== undefined)
    return (
      <span className="work-lease-lost" role="alert">
        The lease has ended: {lost}. What you typed stays here.
      </span>
    );
  if (leftMs > LAST_MINUTE_MS) return null;
  const seconds = Math.max(0, Math.ceil(leftMs / 1_000));
  return (
    <span className="work-lease" role="timer">
      lease {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
    </span>
  );
}
