import type { JsonObject, RunEvent } from '@assay/domain';
import type { CompositeCondition, RunEventsQuery } from '../../../aggregates-port.js';
import type { ConcurrentRunner } from '../../engine/engine.js';
import { knowJsonForms } from '../../filter/json-forms.js';
import { chunks } from '../rows/chunks.js';
import { NewestRunEvents, sessionsNamingRuns } from './newest-run-events.js';
import { readPlainRunEvents, type RunReads } from './read-plain-run-events.js';
import { isStoredId } from '../rows/stored-id.js';
import { runEventsQuery, type RunEventsPart, type RunEventsRow } from './run-events-query.js';
import { withSessionUsage } from './run-session-usage.js';

/** Session ids of one statement: about 205 KB of text. A ClickHouse server parses at most 256 KiB of one parameter. */
const SESSIONS_PER_QUERY = 5_000;

/**
 * Reads the events of runs: those of a few sessions without `FINAL`, if there are no filters. Otherwise, sessions that a run
 * lists are named in a statement only if their own event does not name the run, so that a run of any size usually takes two
 * statements.
 * @throws AppError `VALIDATION_ERROR` when a filter on usage selects from more than 10,000 sessions
 */
export async function readRunEvents(
  runner: ConcurrentRunner,
  reads: RunReads,
  projectId: string,
  query: RunEventsQuery,
): Promise<readonly RunEvent[]> {
  const { tables } = reads;
  const scope = { ...query, projectId };
  const { conditions = [] } = query;
  await knowJsonForms([query.filters, ...conditions.map(({ filters }) => filters)].flat());
  const plain = await readPlainRunEvents(runner, reads, scope);
  if (plain !== undefined) return plain;
  const newest = new NewestRunEvents();
  const read = async (part: RunEventsPart) => {
    for (const row of await runner.query<RunEventsRow>(runEventsQuery(tables, scope, part))) {
      const eventAt = eventsOf(row, conditions);
      (JSON.parse(row.events) as string[]).forEach((eventId, index) => {
        newest.put(eventId, row.versions[index] ?? 0, () => eventAt(eventId, index));
      });
    }
  };
  await read({ kind: 'named' });
  const naming = sessionsNamingRuns(newest.events);
  const isShort = naming.length <= SESSIONS_PER_QUERY;
  // Sending the sessions saves the engine from looking for them once more.
  if (!isShort) await read({ kind: 'inherited' });
  const others = [...(isShort ? naming : []), ...unnamedSessions(query, naming)];
  for (const sessionIds of chunks(others, SESSIONS_PER_QUERY)) await read({ kind: 'listed', sessionIds });
  return withSessionUsage(runner, tables, scope, newest.events);
}

/** Listed sessions whose own event does not name a run. */
function unnamedSessions({ runs }: RunEventsQuery, naming: readonly string[]): string[] {
  const named = new Set(naming);
  const listed = new Set(runs.flatMap(({ sessionIds }) => sessionIds));
  return [...listed].filter((sessionId) => isStoredId(sessionId) && !named.has(sessionId));
}

/** Returns a function that makes one of the events of a row. Events with equal metrics have the same object. */
function eventsOf(
  row: RunEventsRow,
  conditions: readonly CompositeCondition[],
): (eventId: string, index: number) => RunEvent {
  const { run: runId, name: eventName, type: eventType, starts, failed, selected, truths } = row;
  const sessionAt = sharedAt(JSON.parse(row.sessions) as string[], row.session_at);
  const datapointAt = sharedAt(row.datapoints, row.datapoint_at);
  const compositesOf = (holds: string) =>
    conditions.flatMap(({ composites }, index) => (holds[index] === '1' ? composites : []));
  const compositesAt = sharedAt(row.holds.map(compositesOf), row.holds_at);
  const metricsAt = sharedAt(JSON.parse(row.scores) as JsonObject[], row.scores_at);
  return (eventId, index) => ({
    eventId,
    sessionId: sessionAt(index) ?? '',
    eventName,
    eventType,
    startTime: starts[index] ?? 0,
    runId,
    datapointId: datapointAt(index) ?? '',
    metrics: metricsAt(index) ?? {},
    isSelected: selected[index] === 1,
    hasError: failed[index] === 1,
    mayHaveGroundTruth: truths[index] === 1,
    composites: compositesAt(index) ?? [],
  });
}

/** Returns a function that finds the value of an event. */
function sharedAt<Value>(
  values: readonly Value[],
  positions: ArrayLike<number>,
): (index: number) => Value | undefined {
  return (index) => values[(positions[index] ?? 0) - 1];
}
