import { useSyncExternalStore } from 'react';
import { readAllViews, viewsOf, withoutLast, type AllViews, type ProjectViews } from './saved-views.js';

const KEY = 'assay.views';
const listeners = new Set<() => void>();
let text: string | null = null;
let all: AllViews = [];

/** The views of a project in this browser, also those that another tab has saved. */
export const useSavedViews = (project: string): ProjectViews =>
  useSyncExternalStore(subscribe, () => viewsOf(current(), project));

/** Changes what the browser keeps. Returns whether it does. */
export function changeViews(change: (before: AllViews) => AllViews): boolean {
  const before = current();
  const after = change(before);
  if (after === before) return true;
  try {
    localStorage.setItem(KEY, JSON.stringify(after));
  } catch {
    return false;
  }
  for (const listener of listeners) listener();
  return true;
}

/** Forgets the last filters of every project. */
export const forgetLastFilters = (): void => void changeViews(withoutLast);

function current(): AllViews {
  const stored = read();
  if (stored !== text) [text, all] = [stored, readAllViews(stored)];
  return all;
}

function read(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // The browser keeps nothing for this page.
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
