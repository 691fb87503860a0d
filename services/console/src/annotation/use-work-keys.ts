import { useState } from 'react';
import { useCommands, type Handlers } from '../keyboard/dispatch.js';
import type { Field, FieldValue } from './fields.js';
import type { Work } from './work.js';

interface Keys {
  readonly work: Work;
  readonly fields: readonly Field[];
  /** A done item is looked at, or there is none. */
  readonly isReadOnly: boolean;
  readonly hasItem: boolean;
  readonly onSkip: () => void;
  readonly onComment: () => void;
  readonly onToggle: (part: 'guidelines' | 'raw' | 'whole') => void;
}

/** The cursor over the fields, and the field whose text is typed next. */
export interface FieldCursor {
  readonly at: number;
  readonly typing: { readonly field: number; readonly nth: number } | undefined;
  readonly move: (to: number) => void;
  /** Puts the caret into the text of a field. */
  readonly type: (field: number) => void;
  /** Goes to the next field, into its text when it has one. */
  readonly next: () => void;
}

export function useFieldCursor(fields: readonly Field[]): FieldCursor {
  const [at, setAt] = useState(0);
  const [typing, setTyping] = useState<FieldCursor['typing']>();
  const last = Math.max(0, fields.length - 1);
  const move = (to: number) => setAt(Math.max(0, Math.min(last, to)));
  const type = (field: number) => setTyping((before) => ({ field, nth: (before?.nth ?? 0) + 1 }));
  return {
    ...{ at: Math.min(at, last), typing, move, type },
    next: () => {
      move(at + 1);
      if (at < last && isText(fields[at + 1])) type(at + 1);
    },
  };
}

const isText = (field: Field | undefined) => field?.kind === 'text' || field?.kind === 'number';

/** Every key of the work on a queue. */
export function useWorkKeys(keys: Keys, cursor: FieldCursor): void {
  const { work, fields, isReadOnly, hasItem, onSkip, onComment, onToggle } = keys;
  const field = fields[cursor.at];
  const canWrite = hasItem && !isReadOnly;
  const choose = (value: boolean) =>
    canWrite && field?.kind === 'boolean' ? () => work.setValue(field.name, value) : undefined;
  useCommands({
    ...(canWrite && field && fieldKeys(keys, cursor, field)),
    answerYes: choose(true),
    answerNo: choose(false),
    itemSubmit: canWrite ? () => work.submit(fields) : undefined,
    itemSkip: canWrite ? onSkip : undefined,
    itemLater: canWrite ? () => work.putOff() : undefined,
    itemComment: canWrite ? onComment : undefined,
    doneOlder: () => work.showDone(-1),
    doneNewer: () => work.showDone(1),
    undo: () => void work.undo(),
    guidelines: () => onToggle('guidelines'),
    itemView: hasItem ? () => onToggle('raw') : undefined,
    itemSession: hasItem ? () => onToggle('whole') : undefined,
  });
}

function fieldKeys({ work }: Keys, cursor: FieldCursor, field: Field): Handlers {
  const set = (value: FieldValue | undefined) => () => work.setValue(field.name, value);
  const options = field.options
    .slice(0, 9)
    .map(({ value }, at) => [`option${String(at + 1)}`, set(value)] as const);
  return {
    fieldNext: () => cursor.move(cursor.at + 1),
    fieldPrevious: () => cursor.move(cursor.at - 1),
    fieldEnter: () => (isText(field) ? cursor.type(cursor.at) : cursor.next()),
    optionClear: set(undefined),
    ...(Object.fromEntries(options) as Handlers),
  };
}
