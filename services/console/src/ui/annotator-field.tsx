import { useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { annotateAs } from '../api/session.js';
import { sessionQuery } from '../api/use-session.js';
import { annotatorOf } from '../format/annotator.js';
import { Button } from './button.js';
import { Field } from './field.js';

interface Props {
  /** The name at present. */
  readonly annotator?: string | undefined;
  readonly onSaved?: () => void;
}

/** Asks under which name a person annotates. The session of the browser keeps it. */
export function AnnotatorField({ annotator = '', onSaved }: Props) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(annotator);
  const [failure, setFailure] = useState<string>();
  const name = annotatorOf(typed);
  const isEmpty = typed.trim() !== '' && name === '';
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    try {
      client.setQueryData(sessionQuery.queryKey, await annotateAs(name));
      onSaved?.();
    } catch (error) {
      setFailure(error instanceof Error ? error.message : String(error));
    }
  }
  return (
    <form className="annotator-form" onSubmit={(event) => void save(event)}>
      <Field
        {...{ label: 'Your name', value: typed, autoFocus: true, autoComplete: 'name', maxLength: 200 }}
        {...{ error: isEmpty ? 'The name needs a letter from a to z or a digit.' : failure }}
        onChange={(value) => {
          setTyped(value);
          setFailure(undefined);
        }}
        hint={
          <>
            What you say is stored under{' '}
            {name === '' ? 'a name of letters, digits, _ and -' : <strong>{name}</strong>}. It is a name, not
            a proof of who you are.
          </>
        }
      />
      <Button type="submit" kind="primary" label="Continue" isDisabled={name === ''} />
    </form>
  );
}
