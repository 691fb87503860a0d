import { useEffect, useSyncExternalStore } from 'react';

interface Message {
  readonly text: string;
}

let message: Message | undefined;
const listeners = new Set<() => void>();
const VISIBLE_MS = 4_000;

/** Says in a few words what was done. What failed is said where it failed. */
export function notify(text: string): void {
  change({ text });
}

export function Toast() {
  const current = useSyncExternalStore(
    (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    () => message,
  );
  useEffect(() => {
    if (current === undefined) return undefined;
    const timer = setTimeout(() => change(undefined), VISIBLE_MS);
    return () => clearTimeout(timer);
  }, [current]);
  return (
    <div className="toast-region" role="status">
      {current !== undefined && <p className="toast">{current.text}</p>}
    </div>
  );
}

function change(next: Message | undefined): void {
  message = next;
  for (const listener of listeners) listener();
}
