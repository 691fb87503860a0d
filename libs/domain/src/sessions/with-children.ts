/** Parent and start of an event. */
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
 * Returns the events with `children_ids` that agree with the `parent_id` of the other events: first the
 * events that name this one as their parent, by start, then by id; then the children that a client named and
 * that have not arrived.
 * @param others all events that name one of these as their parent, and all events that they name; in any
 * order, duplicates allowed
 */
export function withChildren<E extends Parent>(events: readonly E[], others: readonly TreePlace[]): E[] {
  const known = new Map(others.map((other) => [other.eventId, other]));
  const below = childrenByParent([...known.values()].sort(byStart));
  return events.map((event) => {
    const unknown = event.children_ids.filter((id) => !known.has(id));
    return { ...event, children_ids: [...(below.get(event.event_id) ?? []), ...new Set(unknown)] };
  });
}

/** Oldest first, then by id, so that the order is deterministic. */
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
