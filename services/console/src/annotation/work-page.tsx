import { useCallback, useEffect, useState } from 'react';
import type { Queue } from '../api/queues.js';
import { printName } from '../format/name.js';
import { Failure } from '../ui/failure.js';
import type { Field } from './fields.js';
import { WhyHere } from './guidelines.js';
import { ItemView } from './item-view.js';
import { JudgementPane, type JudgementFocus } from './judgement-pane.js';
import { NothingOpen } from './nothing-open.js';
import { useNow, useWork } from './use-work.js';
import { useFieldCursor, useWorkKeys } from './use-work-keys.js';
import { WorkFoot } from './work-foot.js';
import { WorkHead } from './work-head.js';
import type { Work } from './work.js';
import { onScreen, type Shown, type WorkState } from './work-state.js';
import './work.css';

interface Props {
  readonly project: string;
  readonly queue: Queue;
  readonly annotator: string;
  readonly fields: readonly Field[];
  /** The metrics may have changed. */
  readonly onRefused: () => void;
  readonly onRename: (() => void) | undefined;
}

/** Parts of the page that a key shows or hides. */
interface Toggles {
  readonly guidelines: boolean;
  readonly raw: boolean;
  readonly whole: boolean;
}

/** One item after the other, by keys alone. */
export function WorkPage({ project, queue, annotator, fields, onRefused, onRename }: Props) {
  const { work, state } = useWork({ queue: { project, queueId: queue.id }, annotator });
  const [toggles, setToggles] = useState<Toggles>({ guidelines: true, raw: false, whole: false });
  const current = onScreen(state);
  const now = useNow(
    state.item !== undefined,
    useCallback((at: number) => work.tick(at), [work]),
  );
  useEffect(() => {
    if (state.saved.kind === 'failed') onRefused();
  }, [state.saved, onRefused]);
  return (
    <div className="work">
      <WorkHead name={printName(queue.name)} {...{ state, annotator, onRename }} />
      {state.error !== undefined && (
        <Failure title="No item could be leased" error={state.error} onRetry={work.retry} />
      )}
      {current === undefined && state.error === undefined && (
        <NothingOpen state={state} queue={queue} onTake={work.takeLater} />
      )}
      <ItemWork
        key={`${current?.item.eventId ?? ''} ${current?.isDone ?? ''}`}
        {...{ work, state, current, project, queue, fields, toggles }}
        onToggle={(part) => setToggles((before) => ({ ...before, [part]: !before[part] }))}
      />
      <WorkFoot item={current?.isDone ? undefined : state.item} state={state} now={now} />
    </div>
  );
}

interface ItemProps extends Pick<Props, 'project' | 'queue' | 'fields'> {
  readonly work: Work;
  readonly state: WorkState;
  readonly current: Shown | undefined;
  readonly toggles: Toggles;
  readonly onToggle: (part: keyof Toggles) => void;
}

/** One item, with a cursor of its own: the next one begins at its first field, and with the caret nowhere. */
function ItemWork({ work, state, current, project, queue, fields, toggles, onToggle }: ItemProps) {
  const cursor = useFieldCursor(fields);
  const [focus, setFocus] = useState<JudgementFocus>({ comment: 0, skip: 0 });
  useWorkKeys(
    {
      ...{ work, fields, isReadOnly: current?.isDone ?? false, hasItem: current !== undefined, onToggle },
      onSkip: () => setFocus((before) => ({ ...before, skip: before.skip + 1 })),
      onComment: () => setFocus((before) => ({ ...before, comment: before.comment + 1 })),
    },
    cursor,
  );
  if (current === undefined) return null;
  const { item, isDone } = current;
  return (
    <div className="work-panes">
      <section className="work-main" aria-label="Item">
        <WhyHere queue={queue} />
        {isDone && (
          <p className="work-done-note">
            An item that you have done. Ctrl Z opens it again, ] shows the one after.
          </p>
        )}
        <ItemView {...{ project, item }} isRaw={toggles.raw} isWhole={toggles.whole} />
      </section>
      <JudgementPane
        {...{ work, state, current, queue, fields, cursor, focus }}
        showsGuidelines={toggles.guidelines}
        onSkipEnd={() => setFocus((before) => ({ ...before, skip: 0 }))}
      />
    </div>
  );
}
