import type { compareRunDatapoints, ResponseOf } from '@assay/contracts';
import {
  NEWEST_FIRST,
  type Caller,
  type ComparedDatapoint,
  type ComparedSession,
  type Event,
} from '@assay/domain';
import type { EventRowRead, QueryOptions } from '@assay/event-store';
import { makeWithRollups } from '../sessions/complete-events.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

type Row = ResponseOf<typeof compareRunDatapoints>['rows'][number];
type Side = NonNullable<Row['old']>;

export interface RowOptions {
  readonly caller: Caller;
  readonly previewChars: number;
}

/** Returns a function that converts compared datapoints to rows, with the beginnings of their inputs and outputs. */
export function makeToDatapointRows(deps: Pick<DataPlaneDeps, 'store'>) {
  const readShown = makeReadShown(deps);
  return async function toDatapointRows(
    datapoints: readonly ComparedDatapoint[],
    { caller, previewChars }: RowOptions,
    options: QueryOptions,
  ): Promise<Row[]> {
    const ids = datapoints.flatMap(({ old, new: now }) =>
      [old, now].flatMap((one) => (one ? [shownId(one)] : [])),
    );
    const rowsById = await readShown(caller.projectId, { ids, previewChars }, options);
    return datapoints.map((datapoint) => {
      const events = [datapoint.new, datapoint.old].flatMap(
        (one) => (one && rowsById.get(shownId(one))) ?? [],
      );
      return {
        datapoint_id: datapoint.datapointId,
        inputs_preview: events[0]?.preview?.inputs ?? null,
        ground_truth_preview: groundTruth(events, previewChars),
        old: toSide(datapoint.old, rowsById),
        new: toSide(datapoint.new, rowsById),
        delta: datapoint.delta,
        verdict: datapoint.outcome,
        has_error: datapoint.hasError,
      };
    });
  };
}

/** The first selected event of the trial: the session itself unless the request selects others, or it has several datapoints. */
function shownId({ trial: { events, sessionId } }: ComparedSession): string {
  return events.find((event) => event.isSelected)?.eventId ?? sessionId;
}

/** Rows of one statement. */
const ROWS_PER_QUERY = 500;

function makeReadShown({ store }: Pick<DataPlaneDeps, 'store'>) {
  const withRollups = makeWithRollups({ store });
  return async (
    projectId: string,
    { ids, previewChars }: { readonly ids: readonly string[]; readonly previewChars: number },
    options: QueryOptions,
  ): Promise<ReadonlyMap<string, EventRowRead>> => {
    const value = [...new Set(ids)].slice(0, ROWS_PER_QUERY);
    if (value.length === 0) return new Map();
    const { rows } = await store.events.rows(
      projectId,
      {
        filters: [{ field: 'event_id', operator: 'in', type: 'string', value }],
        sort: { ...NEWEST_FIRST, order: 'asc' },
        limit: ROWS_PER_QUERY,
        previewChars,
        payloadPaths: [],
        count: 'none',
      },
      options,
    );
    const events = await withRollups(
      projectId,
      rows.map(({ event }) => event),
      options,
    );
    return new Map(
      rows.map((row, index) => [row.event.event_id, { ...row, event: events[index] ?? row.event }]),
    );
  };
}

function toSide(
  compared: ComparedSession | undefined,
  rowsById: ReadonlyMap<string, EventRowRead>,
): Side | null {
  if (compared === undefined) return null;
  const eventId = shownId(compared);
  const row = rowsById.get(eventId);
  return {
    session_id: compared.trial.sessionId,
    event_id: eventId,
    outputs_preview: row?.preview?.outputs ?? null,
    payload_bytes: row?.payloadBytes ?? 0,
    metrics: { ...compared.scores },
    score: compared.score ?? null,
    trials: compared.trials,
    spread: compared.spread,
    duration: row ? durationOf(row.event) : null,
    cost: numberOrNull(row?.event.metadata['cost']),
    error: row?.event.error ?? null,
  };
}

function durationOf({ duration, start_time: start, end_time: end }: Event): number | null {
  return duration ?? (end === null ? null : end - start);
}

function groundTruth(rows: readonly EventRowRead[], previewChars: number): string | null {
  const values = rows.map(({ event }) => event.feedback['ground_truth']);
  const value = values.find((one) => one !== undefined && one !== null);
  if (value === undefined || previewChars === 0) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [...text.slice(0, previewChars * 2)].slice(0, previewChars).join('');
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
