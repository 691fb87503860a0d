import type { EventShape } from '@assay/domain';
import { fieldsByTable } from './columns.js';
import { onCluster, type Topology } from './topology.js';

/** A materialised view that fills one table from the ingest table. */
export interface View {
  readonly name: string;
  readonly target: string;
  readonly select: string;
}

/** Fills the payload table, from the rows that do not keep their payload. */
export function payloadView(topology: Topology, shape: EventShape): View {
  return withoutKept(viewOfPayloads(topology, shape, ['media']));
}

/** Fills the table of all other columns, and adds the size of the payload with the texts that are stored as media. */
export function eventsView(topology: Topology, shape: EventShape): View {
  const { names, size } = payloadOf(shape);
  const columns = `* EXCEPT (${[...names, 'media'].join(', ')}), if(kept_ver = 0, ${size}, 0) + kept_bytes AS payload_bytes`;
  return view(topology, 'events', columns);
}

/** The view of the payload table before rows could name media. */
export function formerPayloadView(topology: Topology, shape: EventShape): View {
  return withoutKept(releasedPayloadView(topology, shape));
}

/** The view of the table of all other columns before rows could name media. */
export function formerEventsView(topology: Topology, shape: EventShape): View {
  const { names, size } = payloadOf(shape);
  const columns = `* EXCEPT (${names.join(', ')}), if(kept_ver = 0, ${size}, kept_bytes) AS payload_bytes`;
  return view(topology, 'events', columns);
}

/** The view of the payload table in the first release. */
export function releasedPayloadView(topology: Topology, shape: EventShape): View {
  return viewOfPayloads(topology, shape);
}

function withoutKept({ select, ...of }: View): View {
  return { ...of, select: `${select} WHERE kept_ver = 0` };
}

function viewOfPayloads(topology: Topology, shape: EventShape, more: readonly string[] = []): View {
  const { location, payload } = fieldsByTable(shape);
  const columns = [
    ...location.map(({ name }) => name),
    'start_at',
    'start_hour',
    ...payload.map(({ name }) => name),
    ...more,
    'ver',
    'is_deleted',
  ];
  return view(topology, 'event_payloads', columns.join(', '));
}

/** The view of the table of all other columns in the first release. */
export function releasedEventsView(topology: Topology, shape: EventShape): View {
  const { names, size } = payloadOf(shape);
  return view(topology, 'events', `* EXCEPT (${names.join(', ')}), ${size} AS payload_bytes`);
}

function payloadOf(shape: EventShape): { readonly names: readonly string[]; readonly size: string } {
  const names = fieldsByTable(shape).payload.map(({ name }) => name);
  return { names, size: names.map((name) => `length(${name})`).join(' + ') };
}

export function createView(topology: Topology, { name, target, select }: View): string {
  return `CREATE MATERIALIZED VIEW IF NOT EXISTS ${name}${onCluster(topology)} TO ${target} AS ${select}`;
}

/** Replaces the query of an existing view after columns were added to its tables. */
export function alterView(topology: Topology, { name, select }: View): string {
  return `ALTER TABLE ${name}${onCluster(topology)} MODIFY QUERY ${select}`;
}

function view({ database }: Topology, table: string, columns: string): View {
  return {
    name: `${database}.${table}_view`,
    target: `${database}.${table}`,
    select: `SELECT ${columns} FROM ${database}.events_ingest`,
  };
}
