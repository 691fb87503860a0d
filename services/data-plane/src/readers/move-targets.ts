import type { EventKey, EventStore, ChangeFlags } from '@assay/event-store';

/** ChangeFlagsByKey by `projectId/eventId`. */
export type ChangeFlagsByKey = ReadonlyMap<string, ChangeFlags>;

/** A trace moves to a session, and that may be another trace's; longer rows of moves are nobody's intent. */
const MAX_STEPS = 4;

/**
 * Where ids belong that are marked as moved, by `projectId/eventId`: at the end of all moves that follow each other, never at an id that is
 * moved itself. Ids whose moves go in circles are absent.
 */
export async function moveTargets(
  store: Pick<EventStore, 'readChangeFlags'>,
  marks: ChangeFlagsByKey,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map(marks);
  const asked = new Set(marks.keys());
  for (let step = 0; step < MAX_STEPS; step++) {
    const unknown = [...known].flatMap(([key, { movedTo }]) =>
      movedTo === undefined ? [] : [{ ...keyOf(key), eventId: movedTo }],
    );
    const next = unknown.filter((key) => !asked.has(eventKey(key)));
    if (next.length === 0) break;
    for (const key of next) asked.add(eventKey(key));
    for (const [key, mark] of await store.readChangeFlags(next)) known.set(key, mark);
  }
  return new Map([...marks.keys()].flatMap((key) => lastOf(key, known, asked) ?? []));
}

/** `projectId/eventId` */
export function eventKey({ projectId, eventId }: EventKey): string {
  return `${projectId}/${eventId}`;
}

function lastOf(
  start: string,
  marks: ChangeFlagsByKey,
  asked: ReadonlySet<string>,
): [string, string][] | undefined {
  const { projectId } = keyOf(start);
  let key = start;
  for (let step = 0; step <= MAX_STEPS; step++) {
    const to = marks.get(key)?.movedTo;
    if (to === undefined) return key === start || !asked.has(key) ? undefined : [[start, keyOf(key).eventId]];
    key = eventKey({ projectId, eventId: to });
  }
  return undefined;
}

function keyOf(text: string): EventKey {
  const slash = text.lastIndexOf('/');
  return { projectId: text.slice(0, slash), eventId: text.slice(slash + 1) };
}
