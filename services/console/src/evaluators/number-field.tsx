import { useState } from 'react';
import { Field } from '../ui/field.js';

interface Props {
  readonly label: string;
  readonly value: number | null | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly min?: number;
  readonly max?: number;
  readonly hint?: string;
}

/** A number that a person types. What is typed stays as it is; an empty field has no number. */
export function NumberField({ value, onChange, ...field }: Props) {
  const [typed, setTyped] = useState(() => textOf(value));
  const isTyped = (typed === '' ? undefined : Number(typed)) === (value ?? undefined);
  return (
    <Field
      {...{ ...field, type: 'number', step: 'any', value: isTyped ? typed : textOf(value) }}
      onChange={(text) => {
        setTyped(text);
        onChange(text === '' ? undefined : Number(text));
      }}
    />
  );
}

const textOf = (value: number | null | undefined) =>
  value === null || value === undefined ? '' : String(value);
