import { all, first, type Search } from '../url/search.js';
import { PILLS, type Pill } from './select-steps.js';

export const MODES = ['chat', 'tree', 'raw'] as const;
export type Mode = (typeof MODES)[number];
export const PARTS = ['input', 'output', 'metadata', 'scores', 'evaluations'] as const;
export type Part = (typeof PARTS)[number];

/** All that a person chooses on the page of a session. The address has it, and nothing else has. */
export interface SessionView {
  /** Id of the event under the cursor; absent: the first one. */
  readonly event: string | undefined;
  readonly mode: Mode;
  readonly part: Part;
  readonly pills: readonly Pill[];
  /** Text that names of events contain. */
  readonly query: string;
}

export function readSessionView(search: Search): SessionView {
  const event = first(search, 'event');
  return {
    event: event !== undefined && /^[\da-f-]{36}$/i.test(event) ? event.toLowerCase() : undefined,
    mode: MODES.find((mode) => mode === first(search, 'view')) ?? 'chat',
    part: PARTS.find((part) => part === first(search, 'part')) ?? 'input',
    pills: PILLS.filter((pill) => all(search, 'pill').includes(pill)),
    query: (first(search, 'q') ?? '').slice(0, 200),
  };
}

/** Returns the query of a view. What is as by default is left out. */
export function printSessionView({ event, mode, part, pills, query }: SessionView): Search {
  return {
    event,
    view: mode === 'chat' ? undefined : mode,
    part: part === 'input' ? undefined : part,
    pill: pills.length === 0 ? undefined : pills,
    q: query === '' ? undefined : query,
  };
}
