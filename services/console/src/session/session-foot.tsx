import { Fragment } from 'react';
import { formatCount } from '../format/number.js';
import { keyNames, type CommandId } from '../keyboard/commands.js';
import type { SessionView } from './session-view.js';
import type { Cursor } from './use-cursor.js';
import type { LoadedSession } from './use-session.js';

const HINTS: readonly (readonly [label: string, ...ids: CommandId[]])[] = [
  ['move', 'stepNext', 'stepPrevious'],
  ['fold', 'fold', 'unfold'],
  ['error', 'errorNext'],
  ['view', 'viewNext'],
  ['part', 'part1', 'part5'],
  ['all keys', 'help'],
];

interface Props {
  readonly loaded: LoadedSession;
  readonly view: SessionView;
  readonly cursor: Cursor;
  readonly visible: readonly [first: number, last: number];
  readonly onReadMore: () => void;
}

/** Keys, and how much of the session is on the screen and was read. */
export function SessionFoot({ loaded, view, cursor, visible, onReadMore }: Props) {
  const { events } = loaded;
  const count = cursor.stops.length;
  const unit = view.mode === 'chat' ? 'steps' : 'rows';
  return (
    <footer className="session-foot">
      <span className="session-hints">
        {HINTS.map(([label, ...ids]) => (
          <span key={label}>
            {ids.map((id, at) => (
              <Fragment key={id}>
                {at > 0 && label === 'part' && '– '}
                <kbd>{keyNames(id)[0]}</kbd>
              </Fragment>
            ))}{' '}
            {label}
          </span>
        ))}
      </span>
      {events.nextCursor !== null && (
        <span className="session-unread">
          {formatCount(events.read)} of {formatCount(events.total)} events were read ·{' '}
          <button type="button" className="text-button" onClick={onReadMore}>
            read more
          </button>
        </span>
      )}
      <span className="session-shown">
        {unit} {formatCount(Math.min(visible[0] + 1, count))}–{formatCount(Math.min(visible[1] + 1, count))}{' '}
        of {formatCount(count)}
      </span>
    </footer>
  );
}
