import { useEffect, useState } from 'react';
import { ApiError } from '../api/call.js';
import { Button } from './button.js';
import { Notice } from './notice.js';

interface Props {
  /** What failed, such as "The sessions could not be read". */
  readonly title: string;
  readonly error: Error;
  readonly onRetry: () => void;
}

/** A failed request: the server's sentence, its code, its id, and the way to try again. */
export function Failure({ title, error, onRetry }: Props) {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  const left = useCountdown(seconds, error, onRetry);
  return (
    <Notice
      kind="error"
      title={title}
      actions={<Button label={left > 0 ? `Retry now (in ${left} s)` : 'Retry'} onPress={onRetry} />}
    >
      <p>{sentenceOf(error)}</p>
      {error instanceof ApiError && error.code !== undefined && (
        <p className="failure-id">
          {error.code}
          {error.requestId !== undefined && (
            <>
              {' · request '}
              <code>{error.requestId}</code>
            </>
          )}
        </p>
      )}
    </Notice>
  );
}

/** The 403 of a restricted key names the permission that it lacks. */
function sentenceOf(error: Error): string {
  if (error instanceof ApiError && error.status === 403)
    return `This key may not do that: ${error.message}. Sign in with a key that has the permission.`;
  return `${error.message.charAt(0).toUpperCase()}${error.message.slice(1)}.`;
}

/** Seconds until `onEnd` is called, which happens once for each error that says when to retry. */
function useCountdown(seconds: number | undefined, error: Error, onEnd: () => void): number {
  const [left, setLeft] = useState(seconds ?? 0);
  useEffect(() => setLeft(seconds ?? 0), [seconds, error]);
  useEffect(() => {
    if (left <= 0) return undefined;
    const timer = setTimeout(() => (left === 1 ? onEnd() : setLeft(left - 1)), 1_000);
    return () => clearTimeout(timer);
  }, [left, onEnd]);
  return left;
}
