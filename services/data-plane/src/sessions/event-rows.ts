import type { EventRowResponse } from '@assay/contracts';
import {
  eventPath,
  EVENT_SHAPE,
  namesWhere,
  projectEvent,
  toWireEvent,
  type Caller,
  type Event,
} from '@assay/domain';
import type { EventRowsPage, PayloadPreview } from '@assay/event-store';
import { addTotals } from './complete-events.js';

const PAYLOAD_FIELDS: readonly string[] = namesWhere(EVENT_SHAPE.fields, ({ payload }) => payload);

/** Requested columns, by where their values are. Without any, events have all fields outside their payload. */
export interface Columns {
  readonly narrow: readonly string[];
  /** Paths into inputs, outputs and config. */
  readonly payload: readonly string[];
}

export function columnsOf(sent: readonly string[] = []): Columns {
  const isPayload = (column: string) => PAYLOAD_FIELDS.includes(eventPath(column)?.root ?? '');
  const narrow = sent.filter((column) => !isPayload(column));
  // A list of payload paths alone does not select all fields.
  return {
    narrow: sent.length > 0 ? ['event_id', ...narrow] : [],
    payload: [...new Set(sent.filter((column) => isPayload(column) && !PAYLOAD_FIELDS.includes(column)))],
  };
}

/** Converts the rows of a page to the format of the API, sessions with their roll-ups where the page has them. */
export function toEventRows(
  { rows, rollups }: Pick<EventRowsPage, 'rows' | 'rollups'>,
  columns: Columns,
  { projectName: name }: Caller,
): EventRowResponse[] {
  const stored = rows.map(({ event }) => event);
  const events = rollups === undefined ? stored : addTotals(stored, rollups);
  return rows.map(({ event, preview, payloadBytes }, index) => ({
    ...toNarrowRow(events[index] ?? event, columns, name),
    ...(preview && previewFields(preview, columns.payload)),
    payload_bytes: payloadBytes,
  }));
}

/** Roll-ups of sessions are in their metadata, and set the end of open sessions. */
export function needsRollups({ narrow }: Columns): boolean {
  const derived = ['metadata', 'start_time', 'end_time', 'duration'];
  return narrow.length === 0 || narrow.some((column) => derived.includes(column.split('.', 1)[0] ?? ''));
}

/** An event in the format of the API, without its payload and its children. */
export function toNarrowRow(event: Event, { narrow }: Columns, name: string) {
  const {
    inputs: _inputs,
    outputs: _outputs,
    config: _config,
    children_ids: _children,
    ...row
  } = projectEvent(toWireEvent(event, { name }), narrow);
  return row;
}

function previewFields({ inputs, outputs, values }: PayloadPreview, paths: readonly string[]) {
  const columns = Object.fromEntries(paths.map((path, index) => [path, values[index] ?? null]));
  return {
    inputs_preview: inputs,
    outputs_preview: outputs,
    ...(paths.length > 0 && { column_previews: columns }),
  };
}
