import { useMemo, useState } from 'react';
import type { Queue } from '../api/queues.js';
import { FieldsPane } from './fields-pane.js';
import { problemOfField, type Field } from './fields.js';
import { Guidelines } from './guidelines.js';
import { ItemScores } from './item-scores.js';
import { LineInput } from './line-input.js';
import type { FieldCursor } from './use-work-keys.js';
import type { Work } from './work.js';
import type { Shown, WorkState } from './work-state.js';

/** Numbers that change with each wish to type there; 0: no wish. */
export interface JudgementFocus {
  readonly comment: number;
  readonly skip: number;
}

interface Props {
  readonly work: Work;
  readonly state: WorkState;
  readonly current: Shown;
  readonly queue: Queue;
  readonly fields: readonly Field[];
  readonly cursor: FieldCursor;
  readonly focus: JudgementFocus;
  readonly showsGuidelines: boolean;
  readonly onSkipEnd: () => void;
}

/** The API takes no longer ones. */
const MAX_COMMENT = 4_000;
const MAX_REASON = 500;

/** What a person says about an item, and what they need to know for it. */
export function JudgementPane(props: Props) {
  const { work, state, current, queue, fields, cursor, focus, showsGuidelines } = props;
  const { item, draft, isDone } = current;
  const asked = useMemo(() => new Set(fields.map(({ name }) => name)), [fields]);
  const problem =
    state.saved.kind === 'failed' && !isDone ? problemOfField(state.saved.message, fields) : undefined;
  return (
    <aside className="work-side" aria-label="Judgement">
      {focus.skip > 0 && !isDone && <SkipReason key={item.eventId} {...props} />}
      <FieldsPane
        {...{ fields, values: draft.values, cursor: cursor.at, typing: cursor.typing, problem }}
        isReadOnly={isDone}
        onValue={(name, value) => work.setValue(name, value)}
        onCursor={cursor.move}
        onNext={cursor.next}
      />
      <LineInput
        {...{ label: 'Comment', value: draft.comment, maxLength: MAX_COMMENT, focus: focus.comment }}
        isReadOnly={isDone}
        onChange={(comment) => work.setComment(comment)}
        onEnter={() => undefined}
      />
      <ItemScores item={item} asked={asked} isDone={isDone} />
      {showsGuidelines && <Guidelines queue={queue} fields={fields} />}
    </aside>
  );
}

function SkipReason({ work, focus, onSkipEnd }: Props) {
  const [reason, setReason] = useState('');
  return (
    <LineInput
      {...{ label: 'Why skip it? Enter skips, Esc does not', value: reason, maxLength: MAX_REASON }}
      focus={focus.skip}
      onChange={setReason}
      onEnter={() => {
        work.skip(reason);
        onSkipEnd();
      }}
      onEscape={onSkipEnd}
    />
  );
}
