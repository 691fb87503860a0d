import type { ControlPlane, ForwardedEvent } from '@assay/control-plane-client';
import { redactEvent, redactsNothing, type Redaction, type Steps } from '@assay/domain';
import { AppError, isRetryable, unavailable } from '@assay/errors';
import type { GuardedWork, HandlingNotes, RejectRecord } from '@assay/event-log';
import type { EventState, StatesPort } from '@assay/event-store';
import { decodeEventRow, decodeEventRowPart } from '@assay/event-rows';
import { eventKey, loadStates, splitBySize } from '@assay/log-readers';
import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import { eventsRelocatedBy } from '../relocation/moves.js';
import { relocatedEvent, type ChangedEvent } from './changed-events.js';
import { queueMatchers, type QueueMatcher } from './queue-matchers.js';
import { relocatedSince, type StoredEvent } from './relocated-events.js';
import { sendAccepted } from './send-accepted.js';
import { UnforwardableEvents } from './unforwardable-events.js';

export interface ForwardEventsDeps {
  readonly store: { readonly states: StatesPort };
  /** The cache of the `store` reader of this process. */
  readonly recent: {
    /** Returns the cached state of `projectId/eventId`; undefined when it is not in the cache. */
    recentState(key: string): EventState | undefined;
    isUnchanged(key: string, version: number): boolean;
  };
  readonly controlPlane: Pick<ControlPlane, 'forwardEvents' | 'routingFilters'>;
  readonly redaction: Redaction;
  /** Called for each event of which it was not decided whether a queue takes it. */
  readonly onNotDecided?: () => void;
}

/**
 * Every round after the first needs a relocation by another reader during the round before. After the last one the
 * batch is retried, so that no move is missed.
 */
const MAX_ROUNDS = 5;

type Changes = ReadonlyMap<string, ChangedEvent>;
/** What is forwarded of an event, or why it cannot be; undefined: nothing. */
type Outcome = ForwardedEvent | AppError | undefined;

/**
 * Returns a function that forwards those of the changed events that a queue takes, in their merged states. Only the
 * result of `redactEvent` leaves the data plane. An event that cannot be redacted, or that the control plane rejects
 * because of its data, becomes a dead letter, with its last record: one letter, however many of its updates follow.
 */
export function makeForwardEvents(deps: ForwardEventsDeps) {
  const forwardPart = makeForwardPart(deps);

  /** Forwards events in parts, and again those that another reader relocates meanwhile. */
  async function forward(events: readonly ChangedEvent[], tools: PartTools) {
    const items = events.filter(({ projectId }) => tools.matchers.has(projectId));
    const unchanged = new Set(items.filter((event) => isUnchanged(deps, event)));
    const toLoad = (event: ChangedEvent) =>
      unchanged.has(event) || cachedState(deps, event) ? undefined : event;
    for (const whole of await splitBySize(deps.store.states, { items, toLoad })) {
      let part = whole;
      for (let round = 0; round < MAX_ROUNDS && part.length > 0; round++) {
        const changed = new Map(part.map((event) => [keyOf(event), event]));
        const sent = await forwardPart(changed, unchanged, tools);
        const relocated = await relocatedSince(sent, deps.store.states);
        part = relocated.map((key) => relocatedEvent(key, whole.at(-1)?.arrivedAt ?? 0));
      }
      if (part.length > 0) throw unavailable('events are moved while they are forwarded');
    }
  }

  return async function forwardEvents(changed: Changes, tools: BatchTools): Promise<void> {
    const events = [...changed.values()];
    const projectIds = [...new Set(events.map(({ projectId }) => projectId))];
    const matchers = await queueMatchers(deps, projectIds);
    if (matchers.size === 0) return;
    await forward(events, { ...tools, matchers });
    const records = events.flatMap((event) => event.records.map(({ record }) => record));
    const moves = records.filter(({ kind, projectId }) => kind === 'move' && matchers.has(projectId));
    const arrivedAt = events.at(-1)?.arrivedAt ?? 0;
    for await (const keys of eventsRelocatedBy(moves, deps.store.states))
      await forward(
        keys.map((key) => relocatedEvent(key, arrivedAt)),
        { ...tools, matchers },
      );
  };
}

/**
 * Returns the function that forwards a few events, and returns those that it has sent. Of the `unchanged` ones the
 * records are the states.
 */
function makeForwardPart(deps: ForwardEventsDeps) {
  const unforwardable = new UnforwardableEvents();
  return async function forwardPart(
    changed: Changes,
    unchanged: ReadonlySet<ChangedEvent>,
    { matchers, reject, guarded }: PartTools,
  ): Promise<StoredEvent[]> {
    const unread = new Map([...changed].filter(([, event]) => !unchanged.has(event)));
    const cached = (_key: string, event: ChangedEvent) => cachedState(deps, event);
    const states = await loadStates(unread, { store: deps.store, cached });
    const stateOf = (key: string, event: ChangedEvent) =>
      unchanged.has(event) ? 'unchanged' : states.get(key);
    const outcomes = await guarded((handling) => outcomesOf(deps, changed, { matchers, stateOf, handling }));
    const failed = await sendAll(deps, outcomes);
    await rejectFailed(changed, { failed, unforwardable, reject });
    return [...outcomes].flatMap(([key, outcome]) =>
      failed.has(key) || outcome instanceof AppError || outcome.kind !== 'event'
        ? []
        : { ...outcome.event, version: outcome.version },
    );
  };
}

interface BatchTools {
  readonly reject: RejectRecord;
  readonly guarded: GuardedWork;
}

interface PartTools extends BatchTools {
  readonly matchers: Matchers;
}

interface Matching {
  readonly matchers: Matchers;
  readonly stateOf: (key: string, event: ChangedEvent) => EventState | 'unchanged' | undefined;
  readonly handling: HandlingNotes;
}

/** Matches events one by one with the queues of their projects, which lets other work run in between. */
async function outcomesOf(
  deps: ForwardEventsDeps,
  changed: Changes,
  { matchers, stateOf, handling }: Matching,
): Promise<ReadonlyMap<string, ForwardedEvent | AppError>> {
  const outcomes = new Map<string, ForwardedEvent | AppError>();
  const yieldToEventLoop = createYieldToEventLoop();
  for (const [key, event] of changed) {
    const matcher = matchers.get(event.projectId);
    if (matcher === undefined) continue;
    await handling.subject(event.records[0]?.source);
    const steps = () => taken(event, stateOf(key, event), deps, matcher);
    const outcome = await attempt(() => runCooperatively(steps(), yieldToEventLoop));
    if (outcome) outcomes.set(key, outcome);
  }
  return outcomes;
}

interface Failures {
  readonly failed: ReadonlyMap<string, string>;
  readonly unforwardable: UnforwardableEvents;
  readonly reject: RejectRecord;
}

/** Stores a dead letter for each failed event that has none, and forgets those of the other events. */
async function rejectFailed(changed: Changes, { failed, unforwardable, reject }: Failures): Promise<void> {
  if (failed.size === 0 && unforwardable.isEmpty()) return;
  for (const [key, { lastRecord, replayed }] of changed) {
    const errorClass = failed.get(key);
    if (errorClass === undefined) unforwardable.delete(key);
    else if (lastRecord && (replayed || !unforwardable.has(key))) {
      await reject(lastRecord, errorClass);
      unforwardable.add(key);
    }
  }
}

/** Sends what can be forwarded. Returns the code of each event that cannot be. */
async function sendAll(
  { controlPlane }: ForwardEventsDeps,
  outcomes: ReadonlyMap<string, ForwardedEvent | AppError>,
): Promise<ReadonlyMap<string, string>> {
  const failed = new Map<string, string>();
  const forwarded = new Map<ForwardedEvent, string>();
  for (const [key, outcome] of outcomes) {
    if (outcome instanceof AppError) failed.set(key, outcome.code);
    else forwarded.set(outcome, key);
  }
  const rejected = await sendAccepted([...forwarded.keys()], (events) => controlPlane.forwardEvents(events));
  for (const [event, code] of rejected) failed.set(forwarded.get(event) ?? '', code);
  return failed;
}

type Matchers = ReadonlyMap<string, QueueMatcher>;

/** Whether the stored event is what its only record in the batch created. */
function isUnchanged({ recent }: ForwardEventsDeps, event: ChangedEvent): boolean {
  const { records, version } = event;
  const [first] = records;
  return records.length === 1 && first?.record.kind === 'event' && recent.isUnchanged(first.key, version);
}

function keyOf(event: ChangedEvent): string {
  return event.records[0]?.key ?? eventKey(event);
}

/** Returns the cached state. One that was cached before a rebalance can be older than the records of the batch. */
function cachedState({ recent }: ForwardEventsDeps, event: ChangedEvent): EventState | undefined {
  const state = recent.recentState(eventKey(event));
  const newest = Math.max(state?.event?.version ?? -1, state?.changes?.version ?? -1);
  return newest >= event.version ? state : undefined;
}

/** Returns the error when the event cannot be redacted. */
async function attempt(outcome: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome();
  } catch (error) {
    if (error instanceof AppError && !isRetryable(error)) return error;
    throw error;
  }
}

/**
 * Returns what is forwarded of an event; undefined when no queue takes it, it has not arrived, or it is deleted. Of
 * a row that nothing has changed, only what the filters read is parsed first. An event whose filters are not decided is
 * forwarded, because the control plane counts it for each queue that may have taken it.
 */
function* taken(
  event: ChangedEvent,
  state: EventState | 'unchanged' | undefined,
  { redaction, onNotDecided }: Pick<ForwardEventsDeps, 'redaction' | 'onNotDecided'>,
  matcher: QueueMatcher,
): Steps<ForwardedEvent | undefined> {
  yield;
  if (state === 'unchanged') {
    const row = event.records[0]?.record.value ?? Buffer.alloc(0);
    const part = decodeEventRowPart(row, matcher.part);
    const match = yield* matcher.matches(redactsNothing(redaction) ? part : redactEvent(part, redaction));
    if (match === 'not_matching') return undefined;
    if (match === 'not_decided') onNotDecided?.();
    return forwarded(event, event.version, redactEvent(decodeEventRow(row), redaction));
  }
  if (!state?.event || state.changes?.deleted) return undefined;
  const redacted = redactEvent(state.event, redaction);
  const match = yield* matcher.matches(redacted);
  if (match === 'not_matching') return undefined;
  if (match === 'not_decided') onNotDecided?.();
  return forwarded(event, state.event.version, redacted);
}

function forwarded(
  { arrivedAt }: ChangedEvent,
  version: number,
  event: ReturnType<typeof redactEvent>,
): ForwardedEvent {
  return { kind: 'event', version, arrivedAt, event };
}
