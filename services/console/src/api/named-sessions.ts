import { UNNAMED } from '../format/name.js';
import { pageOfEvents, type EventPage, type EventRow, type PageRequest } from './events.js';

/** Reads a page of events, with the root names of sessions that have no name of their own. */
export async function pageOfNamedEvents(
  project: string,
  request: PageRequest,
  signal?: AbortSignal,
): Promise<EventPage> {
  const page = await pageOfEvents(project, request, signal);
  const roots = page.events.map(rootOfUnnamed).filter((id) => id !== undefined);
  if (roots.length === 0) return page;
  const names = await namesOf(project, roots, request.dateRange, signal);
  return {
    ...page,
    events: page.events.map((row) => {
      const name = names.get(rootOfUnnamed(row) ?? '');
      return name === undefined ? row : { ...row, root_name: name };
    }),
  };
}

/** The event that the previews of a session are of, unless these are its own. */
function rootOfUnnamed(row: EventRow): string | undefined {
  const { event_id: id, event_type: type, event_name: name, preview_event_id: root } = row;
  return type === 'session' && name === UNNAMED && root !== id ? root : undefined;
}

async function namesOf(
  project: string,
  ids: readonly string[],
  dateRange: PageRequest['dateRange'],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, string>> {
  const { events } = await pageOfEvents(
    project,
    {
      filters: [{ field: 'event_id', operator: 'in', value: [...ids], type: 'string' }],
      ...{ dateRange, limit: ids.length, columns: ['event_id', 'event_name'], count: 'none' },
    },
    signal,
  );
  return new Map(events.map(({ event_id: id, event_name: name }) => [id, name ?? UNNAMED]));
}
