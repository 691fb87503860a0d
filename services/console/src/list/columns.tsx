import type { ReactNode } from 'react';
import type { EventRow } from '../api/events.js';
import { formatCost } from '../format/cost.js';
import { formatDuration } from '../format/duration.js';
import { formatCount, formatTokens, formatValue } from '../format/number.js';
import { previewText } from '../format/preview.js';
import { formatTime, isoTime, type Zone } from '../format/time.js';
import { numberAt, valueAt } from './value-at.js';

export interface Column {
  readonly id: string;
  readonly title: string;
  /** Track of the grid. */
  readonly width: string;
  readonly align?: 'end';
  /** Field of the API by which the list can be sorted. */
  readonly sort?: string;
  readonly render: (row: EventRow, zone: Zone, now: number) => ReactNode;
}

export type ListKind = 'sessions' | 'events';

const time: Column = {
  id: 'start_time',
  title: 'Time',
  width: '136px',
  sort: 'start_time',
  render: (row, zone, now) => (
    <time title={isoTime(row.start_time)}>{formatTime(row.start_time, zone, now)}</time>
  ),
};
const duration: Column = {
  ...{ id: 'duration', title: 'Duration', width: '84px', align: 'end', sort: 'duration' },
  render: (row) => formatDuration(row.duration),
};
const tokens: Column = {
  ...{ id: 'tokens', title: 'Tokens', width: '72px', align: 'end', sort: 'metadata.total_tokens' },
  render: (row) => {
    const value = numberAt(row, 'metadata.total_tokens');
    return <span title={formatCount(value)}>{formatTokens(value)}</span>;
  },
};
const cost: Column = {
  ...{ id: 'cost', title: 'Cost', width: '72px', align: 'end', sort: 'metadata.cost' },
  render: (row) => formatCost(numberAt(row, 'metadata.cost')),
};
const asked: Column = {
  ...{ id: 'inputs', title: 'Input', width: 'minmax(160px, 2fr)' },
  render: (row) => <Preview json={row.inputs_preview} />,
};
const replied: Column = {
  ...{ id: 'outputs', title: 'Output', width: 'minmax(160px, 2fr)' },
  render: (row) => <Preview json={row.outputs_preview} />,
};
const events: Column = {
  ...{ id: 'num_events', title: 'Events', width: '64px', align: 'end', sort: 'metadata.num_events' },
  render: (row) => formatCount(numberAt(row, 'metadata.num_events')),
};

/** The columns that a list has without any choice. The name is a column of the grid itself, because it is the link of the row. */
export const COLUMNS: Readonly<
  Record<ListKind, { readonly before: readonly Column[]; readonly after: readonly Column[] }>
> = {
  sessions: { before: [time], after: [asked, replied, events, duration, tokens, cost] },
  events: { before: [time], after: [asked, replied, duration, tokens, cost] },
};

/** Returns the column of a path that a person has chosen. */
export function columnOf(path: string): Column {
  return {
    ...{
      id: path,
      title: path.replace(/^(?:metadata|metrics|user_properties)\./, ''),
      width: 'minmax(80px, 140px)',
    },
    sort: /^(?:metadata|metrics|feedback|user_properties)\./.test(path) ? path : undefined,
    render: (row) => {
      const value = valueAt(row, path) ?? row.column_previews?.[path];
      const text = formatValue(value);
      return <bdi title={text}>{text}</bdi>;
    },
  };
}

/** The paths that the rows of a list need, as requests name them. */
export function requestedColumns(kind: ListKind, chosen: readonly string[]): string[] {
  const metadata = ['total_tokens', 'cost', 'num_errors', ...(kind === 'sessions' ? ['num_events'] : [])];
  const own = ['event_id', 'session_id', 'event_type', 'event_name', 'start_time', 'duration', 'error'];
  return [...new Set([...own, ...metadata.map((name) => `metadata.${name}`), ...chosen])];
}

function Preview({ json }: { readonly json: string | undefined }) {
  const text = previewText(json);
  return text === '' ? <span className="muted">—</span> : <bdi title={text}>{text}</bdi>;
}
