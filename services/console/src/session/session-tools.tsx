import { useState, type RefObject } from 'react';
import { formatCount } from '../format/number.js';
import { keyNames } from '../keyboard/commands.js';
import { Button } from '../ui/button.js';
import { PILLS, type Pill } from './select-steps.js';
import { MODES, type Mode, type SessionView } from './session-view.js';
import type { Cursor, Selection } from './use-cursor.js';
import '../ui/choices.css';

const PILL_LABELS: Readonly<Record<Pill, string>> = {
  key: 'Key steps',
  errors: 'Errors',
  critical: 'Critical path',
  slow: 'Slowest 5 %',
};
const MODE_LABELS: Readonly<Record<Mode, string>> = { chat: 'Conversation', tree: 'Tree', raw: 'Raw' };

interface Props {
  readonly view: SessionView;
  readonly selection: Selection;
  readonly matches: readonly number[];
  readonly cursor: Cursor;
  /** Events that pills hide. */
  readonly hidden: number;
  readonly finder: RefObject<HTMLInputElement | null>;
  readonly onMove: (event: number) => void;
  readonly onView: (change: Partial<SessionView>) => void;
}

/** Search, pills and the choice of the view. */
export function SessionTools(props: Props) {
  const { view, selection, hidden, onView } = props;
  const toggle = (pill: Pill) => {
    const others = view.pills.filter((one) => one !== pill);
    const pills = others.length === view.pills.length ? [...view.pills, pill] : others;
    onView({
      pills: PILLS.filter((one) => pills.includes(one)),
      mode: view.mode === 'chat' ? 'tree' : view.mode,
    });
  };
  return (
    <div className="session-tools" role="toolbar" aria-label="Session">
      <FindEvent {...props} />
      {PILLS.map((pill) => (
        <button
          key={pill}
          type="button"
          className={`pill pill-${pill}`}
          aria-pressed={view.pills.includes(pill)}
          disabled={selection.counts[pill] === 0}
          onClick={() => toggle(pill)}
        >
          {PILL_LABELS[pill]} <span className="pill-count">{formatCount(selection.counts[pill])}</span>
        </button>
      ))}
      {hidden > 0 && (
        <span className="session-hidden" role="status">
          {formatCount(hidden)} hidden ·{' '}
          <button type="button" className="text-button" onClick={() => onView({ pills: [] })}>
            show all
          </button>
        </span>
      )}
      <span className="space" />
      <div className="segments" role="group" aria-label="View">
        {MODES.map((mode) => (
          <button
            key={mode}
            type="button"
            className="segment"
            aria-pressed={view.mode === mode}
            onClick={() => onView({ mode })}
          >
            {MODE_LABELS[mode]}
          </button>
        ))}
      </div>
    </div>
  );
}

/** Search in names, models and errors. The address has the text once it is found or left. */
function FindEvent({ view, matches, cursor, finder, onMove, onView }: Props) {
  const [draft, setDraft] = useState(view.query);
  const [known, setKnown] = useState(view.query);
  if (known !== view.query) {
    setKnown(view.query);
    setDraft(view.query);
  }
  const at = matches.indexOf(cursor.event);
  const go = (by: number) => {
    const next = matches[(at + by + matches.length) % Math.max(matches.length, 1)];
    if (next !== undefined) onMove(next);
  };
  const commit = () => draft !== view.query && onView({ query: draft });
  return (
    <div className="session-find" role="search">
      <input
        ref={finder}
        className="input"
        type="search"
        value={draft}
        aria-label="Find an event"
        placeholder={`Find an event  ${keyNames('find')[0] ?? ''}`}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={({ key, shiftKey, currentTarget }) => {
          if (key === 'Escape') currentTarget.blur();
          if (key !== 'Enter') return;
          commit();
          if (draft === view.query) go(shiftKey ? -1 : 1);
          else currentTarget.blur();
        }}
      />
      {view.query !== '' && (
        <>
          <span className="session-matches" role="status">
            {at === -1 ? '' : `${formatCount(at + 1)} / `}
            {formatCount(matches.length)}
          </span>
          <Button
            kind="quiet"
            icon="close"
            iconOnly
            label="Clear the search"
            onPress={() => onView({ query: '' })}
          />
        </>
      )}
    </div>
  );
}
