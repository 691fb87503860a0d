import { useId, type InputHTMLAttributes, type ReactNode } from 'react';
import './field.css';

interface Props extends Omit<InputHTMLAttributes<HTMLInputElement>, 'className' | 'id' | 'onChange'> {
  readonly label: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
  readonly hint?: ReactNode;
}

/** A text field with its label above it, and what is wrong with it below. */
export function Field({ label, onChange, error, hint, ...input }: Props) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        id={id}
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={error === undefined ? 'field-hint' : 'field-error'}
          role={error && 'alert'}
        >
          {note}
        </p>
      )}
    </div>
  );
}
