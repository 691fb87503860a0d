import { useSyncExternalStore } from 'react';

/** What a person prefers in this browser, whatever the page. Addresses do not have it. */
export interface Preferences {
  readonly theme: 'system' | 'light' | 'dark';
  readonly zone: 'local' | 'utc';
  readonly density: 'normal' | 'dense';
  readonly singleKeys: boolean;
  /** Whether messages in Markdown are drawn as such. */
  readonly markdown: boolean;
}

const KEY = 'assay.preferences';
const DEFAULTS: Preferences = {
  ...{ theme: 'system', zone: 'local', density: 'normal' },
  ...{ singleKeys: true, markdown: true },
};

let current = read();
const listeners = new Set<() => void>();

export const preferences = () => current;

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // The browser keeps nothing for this page: the choice holds until it is closed.
  }
  applyPreferences();
  for (const listener of listeners) listener();
}

export const usePreferences = () =>
  useSyncExternalStore(
    (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    () => current,
  );

/** Sets what the style sheets read. Called before the first render, so that no other colours appear first. */
export function applyPreferences(): void {
  const { dataset } = document.documentElement;
  dataset.theme = current.theme;
  dataset.density = current.density;
}

function read(): Preferences {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof stored === 'object' && stored !== null ? { ...DEFAULTS, ...stored } : DEFAULTS;
  } catch {
    return DEFAULTS;
  }
}
