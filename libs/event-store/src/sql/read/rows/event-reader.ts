import {
  EVENT_SHAPE,
  parseObjectText,
  type Event,
  type EventShape,
  type JsonValue,
  type NamedField,
  type StoredEvent,
} from '@assay/domain';
import type { RowVersion } from '../../../event-store.js';
import { fieldsByTable } from '../../schema/columns.js';
import type { RowKey } from './row-key.js';

/** A row of the narrow table or of the payload table, as read: open objects are JSON text. */
export type StoredRow = RowKey & Readonly<Record<string, JsonValue>> & { readonly version: RowVersion };
/** A row of the narrow table. */
export type NarrowRow = StoredRow & {
  /** Version of the payload that it belongs to. */
  readonly payload_version: RowVersion;
  readonly payload_bytes: number;
  readonly event_type: string;
  /** Unix milliseconds. */
  readonly start_time: number;
};

/** A payload row without values, for events of which only the narrow row was read. */
export const NO_PAYLOAD: StoredRow = { key_event: '', key_session: '', key_hour: 0, version: 0 };

export const VERSION_COLUMN = 'toUInt64(ver) AS version';
const PAYLOAD_COLUMNS =
  'if(kept_ver = 0, toUInt64(ver), toUInt64(kept_ver - 1)) AS payload_version, payload_bytes';

/** Reads events of a shape from their two rows. */
export class EventReader {
  /** What to select, besides the key, from the narrow table and from the payload table. */
  readonly narrowColumns: string;
  readonly payloadColumns: string;
  readonly #narrow: readonly NamedField[];
  readonly #payload: readonly NamedField[];
  readonly #shape: EventShape;

  constructor(shape: EventShape = EVENT_SHAPE) {
    const { narrow, payload } = fieldsByTable(shape);
    this.#shape = shape;
    this.#narrow = narrow;
    this.#payload = payload;
    this.narrowColumns = ['project_id', ...names(narrow), VERSION_COLUMN, PAYLOAD_COLUMNS].join(', ');
    this.payloadColumns = [...names(payload), 'media', VERSION_COLUMN].join(', ');
  }

  /** The event of its narrow row, with empty objects as its payload. */
  readNarrow(narrow: StoredRow): Event {
    const empty = Object.fromEntries(this.#payload.map((field) => [field.name, null]));
    return this.read(narrow, { ...narrow, ...empty });
  }

  /** The event of its two rows. The open objects are parsed from the stored text: nothing in them changes. */
  read(narrow: StoredRow, payload: StoredRow): Event {
    return this.#read(narrow, payload, parseObjectText) as Event;
  }

  /** The same with the open objects as they are stored. */
  readStored(narrow: StoredRow, payload: StoredRow): StoredEvent {
    return this.#read(narrow, payload, (text) => text) as StoredEvent;
  }

  /** The fields of the shape, with their open objects as `objectOf` returns them. */
  #read(narrow: StoredRow, payload: StoredRow, objectOf: (text: string) => JsonValue): unknown {
    const event: Record<string, JsonValue> = { ...this.#shape.template };
    event['project_id'] = narrow['project_id'] ?? '';
    event['event_id'] = narrow.key_event;
    event['session_id'] = narrow.key_session;
    for (const field of this.#narrow) event[field.name] = valueOf(field, narrow, objectOf);
    for (const field of this.#payload) event[field.name] = valueOf(field, payload, objectOf);
    return event;
  }
}

/** An object's column is empty in rows that were stored before the field was declared. */
function valueOf(
  { name, type }: NamedField,
  row: StoredRow,
  objectOf: (text: string) => JsonValue,
): JsonValue {
  const value = row[name] ?? null;
  return type === 'object' ? objectOf(typeof value === 'string' ? value : '') : value;
}

function names(fields: readonly NamedField[]): string[] {
  return fields.map(({ name }) => name);
}

export const EVENT_READER = new EventReader();
