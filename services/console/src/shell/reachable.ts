import { useSyncExternalStore } from 'react';

let reachable = true;
const listeners = new Set<() => void>();

/** Records whether the last request had a response. */
export function setReachable(next: boolean): void {
  if (next === reachable) return;
  reachable = next;
  for (const listener of listeners) listener();
}

export const useReachable = () =>
  useSyncExternalStore(
    (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    () => reachable,
  );
