import { useEffect, useRef, type KeyboardEvent } from 'react';
import { printName } from '../format/name.js';
import { valueIn, type Field, type FieldValue, type Values } from './fields.js';

interface Props {
  readonly fields: readonly Field[];
  readonly values: Values;
  /** Field under the cursor. */
  readonly cursor: number;
  /** The field whose text is to be typed next, and a number that changes with each wish. */
  readonly typing: { readonly field: number; readonly nth: number } | undefined;
  /** What the server says about a field. */
  readonly problem: readonly [string, string] | undefined;
  readonly isReadOnly: boolean;
  readonly onValue: (name: string, value: FieldValue | undefined) => void;
  readonly onCursor: (field: number) => void;
  /** Enter in a text: to the next field. */
  readonly onNext: () => void;
}

/** What a person fills in about an item. */
export function FieldsPane(props: Props) {
  const { fields, cursor, onCursor } = props;
  return (
    <div className="work-fields" role="group" aria-label="Fields">
      {fields.map((field, at) => (
        <div
          key={field.name}
          className="work-field"
          data-current={at === cursor || undefined}
          onFocus={() => onCursor(at)}
        >
          <FieldInput {...props} field={field} at={at} />
        </div>
      ))}
    </div>
  );
}

interface InputProps extends Props {
  readonly field: Field;
  readonly at: number;
}

function FieldInput(props: InputProps) {
  const { field, at, problem, cursor } = props;
  const id = `work-field-${at}`;
  const wrong = problem?.[0] === field.name ? problem[1] : undefined;
  const noteId = wrong === undefined ? undefined : `${id}-problem`;
  const isChoice = field.kind === 'boolean' || field.kind === 'options';
  return (
    <>
      <label className="work-field-name" id={`${id}-name`} htmlFor={isChoice ? undefined : id}>
        {at === cursor && <span aria-hidden="true">▸ </span>}
        <bdi title={field.name}>{printName(field.name)}</bdi>
        {field.kind === 'number' && field.scale !== null && <small> 1 to {field.scale}</small>}
      </label>
      {isChoice ? (
        <Choice {...props} id={id} noteId={noteId} />
      ) : (
        <TextInput {...props} id={id} noteId={noteId} />
      )}
      {wrong !== undefined && (
        <p className="field-hint field-error" id={noteId} role="alert">
          {wrong}
        </p>
      )}
    </>
  );
}

interface WithIds extends InputProps {
  readonly id: string;
  readonly noteId: string | undefined;
}

/** The letters and digits of the options, as the keys are. */
const keyOf = (field: Field, at: number): string => {
  if (field.kind === 'boolean') return at === 0 ? 'y' : 'n';
  return at < 9 ? String(at + 1) : '';
};

function Choice({ field, values, id, noteId, isReadOnly, onValue }: WithIds) {
  return (
    <div className="work-options" role="radiogroup" aria-labelledby={`${id}-name`} aria-describedby={noteId}>
      {field.options.map(({ label, value }, at) => {
        const isChosen = valueIn(values, field.name) === value;
        return (
          <button
            key={label}
            {...{ type: 'button', role: 'radio', className: 'work-option', disabled: isReadOnly }}
            aria-checked={isChosen}
            onClick={() => onValue(field.name, isChosen ? undefined : value)}
          >
            {![label, ''].includes(keyOf(field, at)) && <kbd aria-hidden="true">{keyOf(field, at)}</kbd>}
            <bdi title={label}>{printName(label)}</bdi>
          </button>
        );
      })}
    </div>
  );
}

function TextInput(props: WithIds) {
  const { field, values, id, at, noteId, typing, isReadOnly, onValue, onNext } = props;
  const input = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const wish = typing?.field === at ? typing.nth : undefined;
  useEffect(() => {
    if (wish !== undefined) input.current?.focus();
  }, [wish]);
  const value = valueIn(values, field.name);
  const attributes = {
    ...{ id, ref: input, className: 'input', readOnly: isReadOnly, autoComplete: 'off' },
    value: value === undefined ? '' : String(value),
    onChange: ({ target }: { target: { value: string } }) => onValue(field.name, target.value),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return;
      if (event.key === 'Escape') event.currentTarget.blur();
      if (event.key !== 'Enter' || event.shiftKey) return;
      event.preventDefault();
      event.currentTarget.blur();
      onNext();
    },
    'aria-invalid': noteId !== undefined,
    'aria-describedby': noteId,
  };
  return field.kind === 'number' ? (
    <input {...attributes} inputMode="decimal" />
  ) : (
    <textarea {...attributes} rows={2} />
  );
}
