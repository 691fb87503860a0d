import { useState, type FormEvent, type ReactNode } from 'react';
import { ApiError } from '../api/call.js';
import { formatSeconds, isoTime } from '../format/time.js';
import { usePreferences } from '../theme/preferences.js';
import { Button } from '../ui/button.js';
import { Field } from '../ui/field.js';
import { notify } from '../ui/toast.js';
import { useAdministration } from './use-administration.js';
import './administration.css';

interface Props {
  /** What only the administrator sees, such as "Dead letters". */
  readonly what: string;
  readonly children: ReactNode;
}

/** What only the administrator sees: behind a form while administration is locked, which it is again after an hour. */
export function Administration({ what, children }: Props) {
  const { unlockedTo, unlock, lock } = useAdministration();
  const { zone } = usePreferences();
  if (unlockedTo === undefined) return <UnlockForm what={what} onUnlock={unlock} />;
  return (
    <>
      <p className="administration-state">
        <span title={isoTime(unlockedTo)}>
          Administration is unlocked, and locks at {formatSeconds(unlockedTo, zone, Date.now())}.
        </span>
        <Button
          {...{ label: 'Lock now', icon: 'lock' }}
          onPress={() => void lock().catch((error: Error) => notify(`Not locked: ${error.message}`))}
        />
      </p>
      {children}
    </>
  );
}

interface FormProps {
  readonly what: string;
  readonly onUnlock: (token: string) => Promise<void>;
}

function UnlockForm({ what, onUnlock }: FormProps) {
  const [token, setToken] = useState('');
  const [failure, setFailure] = useState<string>();
  const [isPending, setPending] = useState(false);
  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setPending(true);
    setFailure(await onUnlock(token.trim()).then(() => undefined, sentenceOf));
    setPending(false);
  }
  return (
    <form className="administration-locked" onSubmit={(event) => void submit(event)}>
      <p>{what} are for the administrator of the installation.</p>
      <Field
        {...{ label: "The administrator's token", type: 'password', autoComplete: 'off', required: true }}
        {...{ spellCheck: false, value: token, error: failure }}
        onChange={(value) => {
          setToken(value);
          setFailure(undefined);
        }}
        hint="ASSAY_ADMIN_TOKEN of this process. This browser keeps it for an hour, where no script can read it."
      />
      <Button
        {...{ type: 'submit', icon: 'lock', isDisabled: isPending || token.trim() === '' }}
        label={isPending ? 'Unlocking …' : 'Unlock administration'}
      />
    </form>
  );
}

function sentenceOf(error: Error): string {
  if (error instanceof ApiError && error.status === 403)
    return "This is not the administrator's token of this process.";
  if (error instanceof ApiError && error.status === 429)
    return `Too many attempts. Try again in ${error.retryAfterSeconds ?? 60} s.`;
  return `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
}
