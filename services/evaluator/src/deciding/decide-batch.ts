import {
  decodeRecord,
  encodeEvaluationsInParts,
  encodeRecord,
  RECORD_HEADERS,
  type DecodedRecord,
} from '@assay/contracts';
import { BatchWork, type Event, type Evaluation, type JsonObject } from '@assay/domain';
import { unavailable } from '@assay/errors';
import {
  unguarded,
  type ConsumedRecord,
  type EventLog,
  type GuardedWork,
  type HandlingNotes,
  type LogPosition,
  type LogRecord,
} from '@assay/event-log';
import type { EventKey, EventState, StatesPort, SessionsPort } from '@assay/event-store';
import { eventKey, positionAfter, splitBySize, type Freshness } from '@assay/log-readers';
import { createYieldToEventLoop, runCooperatively } from '@assay/runtime';
import type { MetricDefinitions } from '../definitions/metric-definitions.js';
import type { ProjectMetrics } from '../definitions/project-metrics.js';
import type { QuietPeriod } from '../shared/quiet-period.js';
import type { NewWork } from '../shared/work-item.js';
import { applyingMetrics } from './applying-metrics.js';
import { sessionsToCombine } from './changed-sessions.js';
import { NO_CHANGES } from './changes.js';
import { changedEvents, type ChangedEvent } from './changed-events.js';
import { decideEvent, needsSessionMetrics, type EventDecision } from './decide-event.js';
import type { DecisionInput } from './decision-input.js';
import { makeReportSessionChanges } from './report-session-changes.js';

export interface DecideBatchDeps {
  readonly log: Pick<EventLog, 'append' | 'end'>;
  readonly store: { readonly states: StatesPort; readonly sessions: SessionsPort };
  readonly definitions: Pick<MetricDefinitions, 'of'>;
  readonly waitUntilStored: (target: LogPosition, maxWaitMs: number) => Promise<Freshness>;
  /** Takes the present states of all events that have changed. */
  readonly refresh: (events: readonly StoredEvent[]) => void;
  /** Takes over evaluations whose decisions are durable. */
  readonly accept: (work: readonly NewWork[]) => void;
  /** Called with the number of decisions that were not made, because the filters took too much work. */
  readonly onNotDecided?: (projectId: string, decisions: number) => void;
  readonly quiet: QuietPeriod;
  /** Unix milliseconds. */
  readonly now: () => number;
}

type StoredEvent = NonNullable<EventState['event']>;
type Projects = ReadonlyMap<string, ProjectMetrics>;

/** Longest wait for the `store` group in one attempt; then the consumer loop backs off and retries. */
const MAX_WAIT_MS = 10_000;
/** With more projects in a batch, definitions that are a few seconds old are used. */
const MAX_FRESH_PROJECTS = 50;

/**
 * Returns the handler of the `evaluate` group, and the function to call before the first batch of new partitions. The
 * handler takes from the log which events have changed, reads their merged states once the `store` group has passed the
 * batch, and appends its decisions to the log. Evaluating is up to the function that it hands the decisions to.
 *
 * An event whose evaluation has been decided is not decided again, because decisions are read only when the `store`
 * group has passed everything that this process, or its predecessor, has appended.
 * @throws AppError `VALIDATION_ERROR` for a record that cannot be read, `UNAVAILABLE`
 */
export function makeDecideBatch(deps: DecideBatchDeps) {
  /** Behind every decision that may concern the events of the next batch. */
  let decided: LogPosition = new Map();
  const catchUp = async () => void (decided = await deps.log.end());
  const reportSessionChanges = makeReportSessionChanges(deps);

  async function append(
    decisions: readonly Decided[],
    firstOf: FirstRecords,
    partition: number,
  ): Promise<void> {
    const records = decisions.flatMap(recordsOf);
    if (records.length === 0) return;
    // Before the append, because it may write records and fail.
    await deps.log.append(records).finally(catchUp);
    deps.accept(decisions.flatMap((decided) => workOf(decided, firstOf, partition)));
  }

  async function decideBatch(
    batch: readonly ConsumedRecord[],
    guarded: GuardedWork = unguarded,
  ): Promise<void> {
    const receivedAt = deps.now();
    // Evaluations change nothing.
    const records = batch.map(decodeRecord).filter(({ kind }) => kind !== 'evaluation');
    const [record] = batch;
    const firstOf = firstRecords(batch);
    if (record === undefined || records.length === 0) return;
    const projects = await evaluatingProjects(deps, records, receivedAt);
    const changed = changedEvents(records.filter(({ projectId }) => projects.has(projectId)));
    const relevant = changed.filter((event) => isRelevant(event, projects.get(event.projectId)));
    if (relevant.length === 0) return;
    const target = new Map([...decided, ...positionAfter(batch)].reduce(highest, new Map<number, number>()));
    const { current } = await deps.waitUntilStored(target, MAX_WAIT_MS);
    if (!current) throw unavailable('the events to evaluate are not stored yet');
    const work = new Map([...projects.keys()].map((projectId) => [projectId, new BatchWork()]));
    // Each session is combined once, by the part that loads it first.
    const taken = new Set(relevant.map(eventKey));
    // A session that changes itself is decided about with this batch.
    const own = new Map(relevant.map((event) => [eventKey(event), event.changes]));
    for (const part of await splitBySize(deps.store.states, { items: relevant, toLoad: (key) => key })) {
      const events = await loadWithSessions(deps, part, { projects, taken });
      deps.refresh(events);
      const changes = new Map(part.map((event) => [eventKey(event), event]));
      const decisions = await decide(deps, events, { projects, changes, work, guarded, firstOf });
      await append(decisions, firstOf, record.partition);
      await reportSessionChanges({ changed: part, events, projects, own });
    }
  }
  return { decideBatch, catchUp };
}

/** What was only deleted or moved concerns composites on sessions, and metrics that decide by the events of a session. */
function isRelevant(
  { isPresent, isDeleted, movedSessions }: ChangedEvent,
  metrics: ProjectMetrics | undefined,
): boolean {
  if (metrics === undefined || isPresent) return metrics !== undefined;
  const concernsSessions = metrics.composites.length > 0 || metrics.decidingOnSessions !== '';
  return concernsSessions && (isDeleted || movedSessions.size > 0);
}

interface Decided extends EventDecision {
  readonly event: StoredEvent;
}

function highest(positions: Map<number, number>, [partition, offset]: readonly [number, number]) {
  return positions.set(partition, Math.max(offset, positions.get(partition) ?? 0));
}

/** Returns the metrics of those projects of the records that evaluate anything, or of which a job asks for something. */
async function evaluatingProjects(
  { definitions }: DecideBatchDeps,
  records: readonly DecodedRecord[],
  receivedAt: number,
): Promise<Projects> {
  const [present, asked] = [new Set<string>(), new Set<string>()];
  for (const { projectId, kind } of records) {
    present.add(projectId);
    if (kind === 'evaluation-request') asked.add(projectId);
  }
  const since = present.size > MAX_FRESH_PROJECTS ? 0 : receivedAt;
  const projects = new Map<string, ProjectMetrics>();
  for (const projectId of present) {
    const metrics = await definitions.of(projectId, since);
    if (!metrics.evaluatesNothing || asked.has(projectId)) projects.set(projectId, metrics);
  }
  return projects;
}

/** Loads events, and the sessions whose composites the batch may have changed. */
async function loadWithSessions(
  { store }: DecideBatchDeps,
  changed: readonly ChangedEvent[],
  { projects, taken }: { readonly projects: Projects; readonly taken: Set<string> },
): Promise<StoredEvent[]> {
  const events = visible(await store.states.read(changed));
  const hasComposites = ({ projectId }: EventKey) => (projects.get(projectId)?.composites.length ?? 0) > 0;
  const sessions = await sessionsToCombine(store.states, {
    changed: changed.filter(hasComposites),
    events: events.filter((event) => hasComposites(keyOf(event))),
  });
  const untaken = sessions.filter((key) => !taken.has(eventKey(key)));
  for (const key of untaken) taken.add(eventKey(key));
  return [...events, ...visible(await store.states.read(untaken))];
}

function visible(states: ReadonlyMap<string, EventState>): StoredEvent[] {
  return [...states.values()].flatMap(({ event, changes }) => (event && !changes?.deleted ? event : []));
}

interface DecisionSources {
  readonly projects: Projects;
  /** By event: what the part changes, and what jobs have asked for. */
  readonly changes: ReadonlyMap<string, ChangedEvent>;
  readonly guarded: GuardedWork;
  /** By event: the first record of the batch that names it; absent for sessions that are combined because of other events. */
  readonly firstOf: ReadonlyMap<string, ConsumedRecord>;
  /** What is left of the work of each project for the filters of this batch. */
  readonly work: ReadonlyMap<string, BatchWork>;
}

type FirstRecords = DecisionSources['firstOf'];

function firstRecords(batch: readonly ConsumedRecord[]): Map<string, ConsumedRecord> {
  const first = new Map<string, ConsumedRecord>();
  for (const record of batch) {
    const key = eventKey(decodeRecord(record));
    if (!first.has(key)) first.set(key, record);
  }
  return first;
}

async function decide(
  deps: DecideBatchDeps,
  events: readonly StoredEvent[],
  sources: DecisionSources,
): Promise<Decided[]> {
  const matched = await matchEvents(deps, events, sources);
  const combined = matched.filter(needsSessionMetrics).map(({ event }) => keyOf(event));
  const sessionMetrics: ReadonlyMap<string, readonly JsonObject[]> =
    await deps.store.sessions.metrics(combined);
  return matched.flatMap((input) => {
    const { event } = input;
    const ofSession = sessionMetrics.get(eventKey(keyOf(event)));
    const decision = decideEvent({
      ...input,
      ...(ofSession && { sessionMetrics: ofSession }),
      now: deps.now(),
      quiet: deps.quiet,
    });
    const undecided = decision.closed.filter(({ decision: made }) => made === 'not_decided').length;
    if (undecided > 0) deps.onNotDecided?.(event.project_id, undecided);
    return evaluationsOf(decision).length > 0 ? [{ event, ...decision }] : [];
  });
}

type MatchedEvent = Omit<DecisionInput, 'event' | 'now' | 'quiet'> & { readonly event: StoredEvent };

/** Matches events one by one with the metrics of their projects, which lets other work run in between. */
async function matchEvents(
  { store }: DecideBatchDeps,
  events: readonly StoredEvent[],
  sources: DecisionSources,
): Promise<MatchedEvent[]> {
  const evaluations = await store.states.evaluations(events.map(keyOf), 'toDecide');
  return sources.guarded((handling) => matchAll(events, evaluations, { ...sources, handling }));
}

async function matchAll(
  events: readonly StoredEvent[],
  evaluations: ReadonlyMap<string, readonly Evaluation[]>,
  { projects, changes, work, firstOf, handling }: DecisionSources & { readonly handling: HandlingNotes },
): Promise<MatchedEvent[]> {
  const yieldToEventLoop = createYieldToEventLoop();
  const matched: MatchedEvent[] = [];
  for (const event of events) {
    const [metrics, left] = [projects.get(event.project_id), work.get(event.project_id)];
    if (metrics === undefined || left === undefined) continue;
    const key = eventKey(keyOf(event));
    const change = changes.get(key);
    const input = {
      ...{ event, metrics, evaluations: evaluations.get(key) ?? [], changes: change?.changes ?? NO_CHANGES },
      ...(change && { requests: change.requests }),
    };
    await handling.subject(firstOf.get(key));
    const applying = await runCooperatively(applyingMetrics(input, left.forEvent()), yieldToEventLoop);
    matched.push({ ...input, applying });
    await yieldToEventLoop();
  }
  return matched;
}

function evaluationsOf({ pending, computed, closed }: EventDecision): Evaluation[] {
  return [...pending, ...computed, ...closed];
}

/** One patch with the scores of composites, and one record with all decisions about the event. */
function recordsOf(decided: Decided): LogRecord[] {
  const { event, patch } = decided;
  const key = keyOf(event);
  const evaluations = encodeEvaluationsInParts(key, {
    sessionId: event.session_id,
    evaluations: evaluationsOf(decided),
  });
  if (patch === undefined) return evaluations;
  const value = Buffer.from(JSON.stringify(patch));
  return [encodeRecord({ kind: 'patch', ...key, fresh: false, value }), ...evaluations];
}

function workOf({ event, pending }: Decided, firstOf: FirstRecords, partition: number): NewWork[] {
  if (pending.length === 0) return [];
  const key = keyOf(event);
  const trace = firstOf.get(eventKey(key))?.headers[RECORD_HEADERS.trace];
  return [{ ...key, event, partition, evaluations: pending, ...(trace !== undefined && { trace }) }];
}

function keyOf({ project_id: projectId, event_id: eventId }: Event): EventKey {
  return { projectId, eventId };
}
