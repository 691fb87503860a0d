import type { ListKind } from './columns.js';

/** A list as its address has it, without the `?`. */
export interface ListQuery {
  readonly kind: ListKind;
  readonly query: string;
}
export interface NamedView extends ListQuery {
  readonly name: string;
}

/** What one project has in this browser, the newest first. */
export interface ProjectViews {
  readonly named: readonly NamedView[];
  /** The filters that were used last. */
  readonly last: readonly ListQuery[];
}

/** The views of all projects, those that were changed last first. */
export type AllViews = readonly (readonly [project: string, views: ProjectViews])[];

export const NO_VIEWS: ProjectViews = { named: [], last: [] };
export const MAX_NAME = 60;
const MAX_PROJECTS = 20;
const MAX_NAMED = 50;
const MAX_LAST = 8;
const MAX_QUERY = 4_000;

/** Reads what the browser has kept. What is no view is left out. */
export function readAllViews(text: string | null): AllViews {
  const stored = parse(text ?? '[]');
  if (!Array.isArray(stored)) return [];
  return stored.flatMap((entry: unknown): AllViews => {
    if (!Array.isArray(entry) || typeof entry[0] !== 'string' || !isObject(entry[1])) return [];
    const { named, last } = entry[1];
    return [[entry[0], { named: listOf(named).filter(isNamed), last: listOf(last).filter(isQuery) }]];
  });
}

export const viewsOf = (all: AllViews, project: string): ProjectViews =>
  all.find(([id]) => id === project)?.[1] ?? NO_VIEWS;

/** Adds a view, in the place of the one of that name. */
export function withNamed(all: AllViews, project: string, view: NamedView): AllViews {
  if (view.query.length > MAX_QUERY) return all;
  const { named, last } = viewsOf(all, project);
  const others = named.filter((one) => one.name !== view.name || one.kind !== view.kind);
  return withProject(all, project, { named: [view, ...others].slice(0, MAX_NAMED), last });
}

export function withoutNamed(all: AllViews, project: string, view: NamedView): AllViews {
  const { named, last } = viewsOf(all, project);
  const others = named.filter((one) => one.name !== view.name || one.kind !== view.kind);
  return withProject(all, project, { named: others, last });
}

/** Remembers filters. Those that only add to the newest take its place, because they were chosen one after the other. */
export function withLast(all: AllViews, project: string, used: ListQuery): AllViews {
  const { named, last } = viewsOf(all, project);
  const [newest] = last;
  if (used.query.length > MAX_QUERY || (newest !== undefined && isSame(newest, used))) return all;
  const others = last.filter((one) => !isSame(one, used) && !(one === newest && extendsQuery(used, one)));
  return withProject(all, project, { named, last: [used, ...others].slice(0, MAX_LAST) });
}

/** Leaves only what people have named: filters can say what a person looked for. */
export const withoutLast = (all: AllViews): AllViews =>
  all.map(([project, { named }]) => [project, { named, last: [] }] as const);

function withProject(all: AllViews, project: string, views: ProjectViews): AllViews {
  return [[project, views] as const, ...all.filter(([id]) => id !== project)].slice(0, MAX_PROJECTS);
}

const isSame = (a: ListQuery, b: ListQuery) => a.kind === b.kind && a.query === b.query;
const extendsQuery = (longer: ListQuery, shorter: ListQuery) =>
  longer.kind === shorter.kind && longer.query.startsWith(`${shorter.query}&`);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function isQuery(value: unknown): value is ListQuery {
  if (!isObject(value)) return false;
  const { kind, query } = value;
  return (kind === 'sessions' || kind === 'events') && typeof query === 'string' && query.length <= MAX_QUERY;
}

const isNamed = (value: unknown): value is NamedView =>
  isQuery(value) && 'name' in value && typeof value.name === 'string' && value.name !== '';
