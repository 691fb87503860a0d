import { useState, type FormEvent } from 'react';
import { signIn, type ConsoleSession } from '../api/session.js';
import { ApiError } from '../api/call.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';

interface Props {
  /** Returns what is wrong with the session for this page, or undefined. */
  readonly onSignedIn: (session: ConsoleSession) => string | undefined;
  readonly problem?: string | undefined;
}

/** Asks for an API key. The browser keeps it in a sealed cookie that no script can read. */
export function SignInForm({ onSignedIn, problem }: Props) {
  const [key, setKey] = useState('');
  const [failure, setFailure] = useState(problem);
  const [isPending, setPending] = useState(false);
  async function submit(): Promise<void> {
    setPending(true);
    const found = await signIn({ api_key: key.trim() }).then(onSignedIn, (error: Error) => sentenceOf(error));
    setPending(false);
    setFailure(found);
  }
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    void submit();
  }
  return (
    <form className="sign-in-form" onSubmit={onSubmit}>
      <Field
        {...{ label: 'API key', type: 'password', name: 'key', required: true, autoFocus: true }}
        {...{ autoComplete: 'off', spellCheck: false, value: key, error: failure }}
        onChange={(value) => {
          setKey(value);
          setFailure(undefined);
        }}
        hint="A key of the project, as the first start prints it. It is kept in this browser for 7 days at most, where no script can read it."
      />
      <Button
        type="submit"
        kind="primary"
        label={isPending ? 'Signing in …' : 'Sign in'}
        isDisabled={isPending || key === ''}
      />
    </form>
  );
}

function sentenceOf(error: Error): string {
  if (error instanceof ApiError && error.status === 401)
    return 'No project has this key. It may be revoked or expired, or a part of it is missing.';
  if (error instanceof ApiError && error.status === 429)
    return `Too many attempts. Try again in ${error.retryAfterSeconds ?? 60} s.`;
  return `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
}
