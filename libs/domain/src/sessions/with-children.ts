/** Where an event stands: below which other one, and since when. */
export interface TreePlace {
  readonly eventId: string;
  readonly parentId: string | null;
  /** Unix milliseconds. */
  readonly startTime: number;
}

interface Parent {
  readonly event_id: string;
  readonly children_ids: string[];
}

/**
 * The events with `children_ids` that agree with the `parent_id` of the others: first those that name the
 * event as their parent, by start, then by id; then those that a client has named as its children and of
 * which nothing is known yet.
 * @param others all events that name one of these as their parent, and all that are named by them; in any order, also more than once
 */
export function withChildren<E extends Parent>(events: readonly E[], others: readonly TreePlace[]): E[] {
  const known = new Map(others.map((place) => [place.eventId, place]));
  const below = childrenByParent([...known.values()].sort(byStart));
  return events.map((event) => {
    const unknown = event.children_ids.filter((id) => !known.has(id));
    return { ...event, children_ids: [...(below.get(event.event_id) ?? []), ...new Set(unknown)] };
  });
}

/** Oldest first; the id decides between equals, so that the order is always the same. */
function byStart(one: TreePlace, other: TreePlace): number {
  return one.startTime - other.startTime || (one.eventId < other.eventId ? -1 : 1);
}

function childrenByParent(sorted: readonly TreePlace[]): Map<string, string[]> {
  const children = new Map<string, string[]>();
  for (const { eventId, parentId } of sorted) {
    if (parentId === null || parentId === eventId) continue;
    const siblings = children.get(parentId);
    if (siblings === undefined) children.set(parentId, [eventId]);
    else siblings.push(eventId);
  }
  return children;
}
