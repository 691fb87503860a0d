import type { TreePage } from '../api/session-tree.js';
import { UNNAMED } from '../format/name.js';
import { readEventIds } from './event-ids.js';
import type { StepColumns } from './select-steps.js';

/** The events of a session from all pages that were read. The session itself is the first event when it is stored. */
export interface SessionEvents extends StepColumns {
  readonly session: TreePage['session'];
  /** Events of the session without itself, also of pages that were not read. */
  readonly total: number;
  /** Events that were read, without the session. */
  readonly read: number;
  readonly nextCursor: string | null;
  /** Start of the first event, Unix milliseconds. */
  readonly startTime: number;
  readonly ids: readonly string[];
  readonly rowOf: ReadonlyMap<string, number>;
  readonly name: readonly string[];
  readonly model: readonly string[];
  readonly tokens: readonly (number | null)[];
  readonly cost: readonly (number | null)[];
  readonly errors: Readonly<Record<string, string>>;
  readonly scores: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Joins pages into one list of events. Parents on another page that was read are found there. */
export function mergePages(pages: readonly TreePage[]): SessionEvents {
  const session = pages[0]?.session ?? null;
  // A page without events has no start.
  const merged = new MergedEvents(pages[0]?.start_time || session?.start_time || 0);
  if (session !== null) merged.addSession(session);
  for (const page of pages) merged.addPage(page);
  merged.findParents(session !== null);
  if (session !== null) merged.nameSession();
  const { length } = merged.ids;
  return {
    ...merged,
    session,
    total: pages[0]?.total ?? 0,
    read: session === null ? length : length - 1,
    nextCursor: pages.at(-1)?.next_cursor ?? null,
  };
}

class MergedEvents {
  readonly ids: string[] = [];
  readonly rowOf = new Map<string, number>();
  readonly name: string[] = [];
  readonly model: string[] = [];
  readonly types: string[] = [];
  readonly type: number[] = [];
  readonly kinds: string[] = [];
  readonly kind: number[] = [];
  readonly parent: number[] = [];
  readonly start: number[] = [];
  readonly duration: (number | null)[] = [];
  readonly tokens: (number | null)[] = [];
  readonly cost: (number | null)[] = [];
  readonly errors: Record<string, string> = {};
  readonly scores: Record<string, Readonly<Record<string, unknown>>> = {};
  readonly outside_parents: Record<string, string> = {};

  constructor(readonly startTime: number) {}

  addSession(session: NonNullable<TreePage['session']>): void {
    const metadata = session.metadata ?? {};
    const number = (name: string) => {
      const value = metadata[name];
      return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : null;
    };
    this.add(session.event_id ?? '', {
      name: session.session_name ?? session.event_name ?? '',
      type: 'session',
      start: session.start_time === undefined ? 0 : session.start_time - this.startTime,
      duration: session.duration ?? null,
      tokens: number('total_tokens'),
      cost: number('cost'),
    });
    if (typeof session.error === 'string') this.errors['0'] = session.error;
    this.scores['0'] = session.metrics ?? {};
  }

  addPage(page: TreePage): void {
    const { events, names, types, kinds, models } = page;
    const first = this.ids.length;
    const later = page.start_time - this.startTime;
    for (const [at, id] of readEventIds(events.ids).entries())
      this.add(id, {
        name: namedBy(names, events.name[at]) ?? '',
        type: namedBy(types, events.type[at]) ?? '',
        kind: namedBy(kinds, events.kind[at]),
        model: namedBy(models, events.model[at]),
        start: (events.start[at] ?? 0) + later,
        duration: events.duration[at] ?? null,
        tokens: events.tokens[at] ?? null,
        cost: events.cost[at] ?? null,
        parent: rowAfter(events.parent[at], first),
      });
    addByRow(this.errors, events.errors, first);
    addByRow(this.scores, events.scores, first);
    addByRow(this.outside_parents, events.outside_parents, first);
  }

  /** Resolves parents of other pages, and puts events without a parent below the session. */
  findParents(hasSession: boolean): void {
    for (const [row, parent] of Object.entries(this.outside_parents)) {
      const known = this.rowOf.get(parent.toLowerCase());
      if (known === undefined) continue;
      this.parent[Number(row)] = known;
      delete this.outside_parents[row];
    }
    if (!hasSession) return;
    for (let row = 1; row < this.parent.length; row++)
      if (this.parent[row] === -1 && this.outside_parents[row] === undefined) this.parent[row] = 0;
  }

  /** A session without a name of its own has the name of its first root event. */
  nameSession(): void {
    const root = this.parent.indexOf(0);
    if (this.name[0] === UNNAMED && root !== -1) this.name[0] = this.name[root] ?? UNNAMED;
  }

  private add(id: string, event: OneEvent): void {
    this.rowOf.set(id, this.ids.length);
    this.ids.push(id);
    this.name.push(event.name);
    this.model.push(event.model ?? '');
    this.type.push(indexIn(this.types, event.type));
    this.kind.push(indexIn(this.kinds, event.kind ?? ''));
    this.parent.push(event.parent ?? -1);
    this.start.push(event.start);
    this.duration.push(event.duration);
    this.tokens.push(event.tokens);
    this.cost.push(event.cost);
  }
}

interface OneEvent {
  readonly name: string;
  readonly type: string;
  readonly kind?: string | undefined;
  readonly model?: string | undefined;
  readonly parent?: number;
  readonly start: number;
  readonly duration: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
}

function rowAfter(row: number | undefined, first: number): number {
  return row === undefined || row < 0 ? -1 : row + first;
}

function namedBy(names: readonly string[], index: number | undefined): string | undefined {
  return index === undefined ? undefined : names[index];
}

/** There are few distinct types and kinds. */
function indexIn(names: string[], name: string): number {
  const at = names.indexOf(name);
  return at === -1 ? names.push(name) - 1 : at;
}

function addByRow<Value>(into: Record<string, Value>, from: object, first: number): void {
  for (const [row, value] of Object.entries(from)) into[String(Number(row) + first)] = value as Value;
}
