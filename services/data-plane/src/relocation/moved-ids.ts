import type { ChangeFlags, EventKey, EventState, StatesPort } from '@assay/event-store';
import { decodeEventRow, encodeEventRow, sessionOfRow } from '@assay/event-rows';
import { eventKey } from '@assay/log-readers';
import { type ConsumedEventRecord, type RecordGroup } from '../shared/consumed-event-record.js';

/** Change flags by `projectId/eventId`. */
export type ChangeFlagsByKey = ReadonlyMap<string, ChangeFlags>;

/** The final target of moved ids, by `projectId/eventId`; ids that are not moved are absent. */
export type MoveTargets = ReadonlyMap<string, string>;

/** A trace moves to a session, which may be that of another trace; no legitimate chain of moves is longer. */
const MAX_CHAIN_LENGTH = 4;

/**
 * Follows chains of moves to their last id, which is never a moved id itself. Ids whose moves form a circle
 * are absent.
 */
export async function moveTargets(states: StatesPort, flags: ChangeFlagsByKey): Promise<MoveTargets> {
  const known = new Map(flags);
  const requested = new Set(flags.keys());
  for (let step = 0; step < MAX_CHAIN_LENGTH; step++) {
    const targets = [...known].flatMap(([key, { movedTo }]) =>
      movedTo === undefined ? [] : [{ ...parseKey(key), eventId: movedTo }],
    );
    const unknown = targets.filter((key) => !requested.has(eventKey(key)));
    if (unknown.length === 0) break;
    for (const key of unknown) requested.add(eventKey(key));
    for (const [key, flag] of await states.changeFlags(unknown)) known.set(key, flag);
  }
  return new Map([...flags.keys()].flatMap((key) => endOfChain(key, known, requested) ?? []));
}

/**
 * Rewrites creates whose stored event is in another session than they name, when their session has moved:
 * they count as creates in the session that it moved to, because the location that they name is closed. Costs
 * a look-up only when the sessions differ.
 */
export async function redirectCreates(
  states: StatesPort,
  groups: readonly RecordGroup[],
  stored: ReadonlyMap<string, EventState>,
): Promise<readonly RecordGroup[]> {
  const candidates = new Map<string, EventKey>();
  for (const { key, record } of groups.flat()) {
    const named = record.kind === 'event' ? sessionOfRow(record.value) : undefined;
    const current = stored.get(key)?.event?.session_id;
    if (named === undefined || current === undefined || current === named) continue;
    const session = { projectId: record.projectId, eventId: named };
    candidates.set(eventKey(session), session);
  }
  if (candidates.size === 0) return groups;
  const targets = await moveTargets(states, await states.changeFlags([...candidates.values()]));
  return targets.size === 0
    ? groups
    : groups.map(([first, ...rest]) => [
        redirected(first, targets),
        ...rest.map((one) => redirected(one, targets)),
      ]);
}

function redirected(consumed: ConsumedEventRecord, targets: MoveTargets): ConsumedEventRecord {
  const { record } = consumed;
  if (record.kind !== 'event') return consumed;
  const session = sessionOfRow(record.value);
  const target = targets.get(eventKey({ projectId: record.projectId, eventId: session }));
  if (target === undefined || session === record.eventId) return consumed;
  const event = decodeEventRow(record.value);
  const parent_id = event.parent_id === session ? target : event.parent_id;
  const value = encodeEventRow({ ...event, session_id: target, parent_id });
  return { ...consumed, record: { ...record, value } };
}

function endOfChain(
  start: string,
  flags: ChangeFlagsByKey,
  requested: ReadonlySet<string>,
): [string, string][] | undefined {
  const { projectId } = parseKey(start);
  let key = start;
  for (let step = 0; step <= MAX_CHAIN_LENGTH; step++) {
    const next = flags.get(key)?.movedTo;
    if (next === undefined)
      return key === start || !requested.has(key) ? undefined : [[start, parseKey(key).eventId]];
    key = eventKey({ projectId, eventId: next });
  }
  return undefined;
}

function parseKey(text: string): EventKey {
  const slash = text.lastIndexOf('/');
  return { projectId: text.slice(0, slash), eventId: text.slice(slash + 1) };
}
