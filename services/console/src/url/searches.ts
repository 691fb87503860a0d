import { first, all, type Search } from './search.js';

/** Query of a list, see `list-view.ts`. */
export interface ListSearch {
  readonly f?: readonly string[];
  readonly range?: string;
  readonly from?: string;
  readonly to?: string;
  readonly sort?: string;
  readonly cols?: string;
  readonly live?: string;
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  const texts = search as Search;
  const filters = all(texts, 'f');
  return {
    ...(filters.length > 0 && { f: filters }),
    ...only(texts, ['range', 'from', 'to', 'sort', 'cols', 'live']),
  };
}

/** Query of the page that asks for a key. */
export interface SignInSearch {
  /** Where to continue. */
  readonly next?: string;
  /** The project that the page before needs. */
  readonly project?: string;
  /** `refused`: the link that signs in was used before or is too old. */
  readonly link?: string;
  /** Why the sign-in with the company's account failed. */
  readonly problem?: string;
}

export function readSignInSearch(search: Record<string, unknown>): SignInSearch {
  return only(search as Search, ['next', 'project', 'link', 'problem']);
}

/** Query of the routes of the API. */
export interface ApiSearch {
  /** Words that the listed routes have. */
  readonly q?: string | undefined;
  /** Operation of the route that is shown. */
  readonly route?: string | undefined;
}

export const readApiSearch = (search: Record<string, unknown>): ApiSearch =>
  only(search as Search, ['q', 'route']);

/** Query of two events side by side. */
export interface DiffSearch {
  /** Part of the events; absent: their outputs. */
  readonly part?: string | undefined;
  /** `json` or `off`; absent: words are marked. */
  readonly diff?: string | undefined;
}

export const readDiffSearch = (search: Record<string, unknown>): DiffSearch =>
  only(search as Search, ['part', 'diff']);

/** Query of a queue. */
export interface QueueSearch {
  /** Only items of this status. */
  readonly status?: string | undefined;
  /** Job that adds stored events to it. */
  readonly job?: string | undefined;
}

export const readQueueSearch = (search: Record<string, unknown>): QueueSearch =>
  only(search as Search, ['status', 'job']);

/** Query of one evaluator. */
export interface EvaluatorSearch {
  /** `versions` or `results`; absent: the definition. */
  readonly view?: string | undefined;
  /** Version that is shown, and the one that it is compared with. */
  readonly version?: string | undefined;
  readonly against?: string | undefined;
  /** Event that a draft is tried on. */
  readonly event?: string | undefined;
  /** Range of time of the results, such as `7d`. */
  readonly range?: string | undefined;
  /** Metric of people that the scores are compared with. */
  readonly with?: string | undefined;
  /** Job that evaluates stored events. */
  readonly job?: string | undefined;
}

export const readEvaluatorSearch = (search: Record<string, unknown>): EvaluatorSearch =>
  only(search as Search, ['view', 'version', 'against', 'event', 'range', 'with', 'job']);

/** Returns where to continue after signing in: an address of the console below its own prefix, and no other. */
export function safeNext(next: string | undefined): string | undefined {
  return next !== undefined && /^\/(?:p\/[^/\\]|api(?:\?|$))/.test(next) && !/[\\\s]/.test(next)
    ? next
    : undefined;
}

function only<Name extends string>(search: Search, names: readonly Name[]): { [Key in Name]?: string } {
  const found: { [Key in Name]?: string } = {};
  for (const name of names) {
    const value = first(search, name);
    if (value !== undefined) found[name] = String(value);
  }
  return found;
}
