import {
  defaultOf,
  EVENT_SHAPE,
  isJsonObject,
  PAYLOAD_FIELDS,
  withoutRawText,
  type Event,
  type EventShape,
  type FieldName,
  type JsonObject,
  type JsonValue,
  type ListedKeys,
  type NamedField,
} from '@assay/domain';
import { validationError } from '@assay/errors';
import type { Steps } from '@assay/runtime';
import {
  indexLeaves,
  isPayloadField,
  type LeafIndex,
  type Leaves,
  type PayloadLeaves,
} from '../leaves/index-leaves.js';
import { readField, readObjectWith, skipField, skipIndex } from './read-field.js';
import { repairEscapes, writeHugeIntegersAsFloats } from '../fast/repair-json.js';
import { PROJECT_FIELD, rowLayout, type RowLayout } from '../layout/row-layout.js';
import type { RowLocation } from '../layout/row-location.js';
import { ObjectWalk } from '../fast/object-walk.js';
import { RowReader } from './row-reader.js';
import { RowWriter } from './row-writer.js';
import { startAt, startHour } from '../layout/start-hour.js';
import { WideWalk } from './wide-walk.js';

/**
 * The fields to read of a row. `whole`: the value. Parts of keys, in ASCII letters, digits, `_` and `-`, of an open
 * object: its value if a key may contain one of them, else it is empty and not parsed.
 */
export type RowPart = ReadonlyMap<FieldName, 'whole' | readonly string[]>;

/** Where bytes of rows are copied to. */
export interface RowTarget {
  copy(bytes: Buffer, start: number, end: number): void;
}

/** Where the bytes of a row are copied to, by the table that holds them. */
export interface RowTargets {
  /** Of the columns {@link RowLayout.narrowColumns}. */
  readonly narrow: RowTarget;
  /** Of the columns {@link RowLayout.payloadColumns}; absent for a row without a payload of its own. */
  readonly payload?: RowTarget;
  /** Of the columns {@link RowLayout.keyColumns}; absent when they are not wanted. */
  readonly key?: RowTarget;
}

/** Encodes and decodes rows of a shape; see {@link RowLayout} for the order of their values. */
export class EventRowCodec {
  readonly layout: RowLayout;
  readonly #shape: EventShape;
  readonly #writer = new RowWriter();
  readonly #walk = new ObjectWalk();

  constructor(shape: EventShape = EVENT_SHAPE) {
    this.#shape = shape;
    this.layout = rowLayout(shape);
  }

  /**
   * The row of an event: its fields, the open objects as JSON text, and the columns derived from them: the
   * sort key, and for the index `attrs`, `nums`, `complete`, `run_id`, `datapoint_id`. The store keeps the
   * text of the open objects unchanged, so what a client sent is returned unchanged, except for NUL and
   * unpaired surrogates in strings, which no text column can hold: they become U+FFFD. The bytes are a view
   * of memory that other rows share: copy them to keep them.
   * @throws AppError `VALIDATION_ERROR` when the event or its session has no UUID
   */
  encode(event: Event): Buffer {
    return this.#encodeInOneWalk(event) ?? this.encodePlainly(withoutRawText(event));
  }

  /**
   * Like {@link encode}; yields between the parts of the work for an event that takes long, such as one with 99,000 keys.
   * @param listed keys of an event that is known to have thousands of values
   */
  *encodeSteps(event: Event, listed?: ListedKeys): Steps<Buffer> {
    const walked = listed ? undefined : this.#encodeInOneWalk(event);
    const row = walked ?? (yield* this.#encodeWide(event, listed));
    return row ?? this.encodePlainly(withoutRawText(event));
  }

  /** Like {@link encode}, in several steps: the form of every event, and the reference of the faster one. */
  encodePlainly(event: Event): Buffer {
    return this.#encode(event, indexLeaves(event, this.layout.indexed));
  }

  /** @returns undefined when the event has a value that the walk does not know */
  #encodeInOneWalk(event: Event): Buffer | undefined {
    const walk = this.#walk;
    walk.begin();
    const ends: number[] = [];
    for (const name of this.layout.indexed) {
      const object = event[name];
      if (!isJsonObject(object) || !walk.write(name, object)) return undefined;
      ends.push(walk.json.at);
    }
    return this.#encodeWalked(event, walk, ends);
  }

  /** Encodes an event that {@link #encodeInOneWalk} does not. @returns undefined when it lacks an object */
  *#encodeWide(event: Event, listed?: ListedKeys): Steps<Buffer | undefined> {
    yield;
    const walk = new WideWalk(listed);
    const objects = new Map<string, JsonObject>();
    for (const name of this.layout.indexed) {
      const object = event[name];
      if (!isJsonObject(object)) return undefined;
      objects.set(name, object);
    }
    return this.#encodeWalked(event, walk, yield* walk.writeAll(objects));
  }

  /** @param ends those of the JSON texts of the walk, in the order of `indexed` */
  #encodeWalked(event: Event, walk: ObjectWalk, ends: readonly number[]): Buffer {
    const { fixed, variable, added, indexed } = this.layout;
    const writer = this.#writer;
    const write = (field: NamedField) => {
      if (field.type !== 'object') return this.#writeField(field, event, false);
      const index = indexed.indexOf(field.name);
      const start = ends[index - 1] ?? 0;
      const end = ends[index] ?? start;
      writer.varint(end - start);
      writer.raw(walk.json.bytes, start, end);
    };
    writer.begin();
    for (const field of fixed) this.#writeField(field, event, false);
    writer.uint64(startAt(event.start_time));
    writer.uint32(startHour(event.start_time));
    writer.uint8(walk.complete ? 1 : 0);
    variable.forEach(write);
    writer.varint(walk.attrCount);
    writer.raw(walk.attrs.bytes, 0, walk.attrs.at);
    writer.varint(walk.numCount);
    writer.raw(walk.nums.bytes, 0, walk.nums.at);
    writer.text(idOf(event.metadata['run_id']));
    writer.text(idOf(event.metadata['datapoint_id']));
    added.forEach(write);
    return writer.take();
  }

  /**
   * The row of an event whose payload stays as it is stored: without the payload, and with the leaves of the stored
   * one in the index.
   */
  encodeNarrow(event: Event, kept: PayloadLeaves): Buffer {
    const values: Partial<Event> = { ...event };
    for (const name of PAYLOAD_FIELDS) delete values[name];
    return this.#encode(values as Event, indexLeaves(event, this.layout.indexed, kept));
  }

  #encode(event: Event, leaves: LeafIndex): Buffer {
    const { fixed, variable, added } = this.layout;
    const writer = this.#writer;
    writer.begin();
    for (const field of fixed) this.#writeField(field, event, leaves.hasHugeInteger);
    writer.uint64(startAt(event.start_time));
    writer.uint32(startHour(event.start_time));
    writer.uint8(leaves.complete ? 1 : 0);
    for (const field of variable) this.#writeField(field, event, leaves.hasHugeInteger);
    this.#writeIndex(event, leaves);
    for (const field of added) this.#writeField(field, event, leaves.hasHugeInteger);
    return writer.take();
  }

  /**
   * The event of a row. Fields that the row is too old to hold have their defaults.
   * @throws AppError `VALIDATION_ERROR` when the bytes are not a row
   */
  decode(row: Buffer): Event {
    const { fixed, variable, added, derivedBytes } = this.layout;
    const reader = new RowReader(row);
    const event: Record<string, JsonValue> = { ...this.#shape.template };
    const read = (field: NamedField) => {
      event[field.name] = readField(field, reader);
    };
    fixed.forEach(read);
    reader.skip(derivedBytes);
    variable.forEach(read);
    if (added.length > 0) {
      skipIndex(reader);
      for (const field of added) {
        if (reader.atEnd()) event[field.name] = defaultOf(field);
        else read(field);
      }
    }
    return event as Event;
  }

  /**
   * The event of a row with a part of its fields; the others have their defaults. Reads no further than the last of
   * them. @throws AppError `VALIDATION_ERROR` when the bytes end before it, or an object of the part is not JSON
   */
  decodePart(row: Buffer, part: RowPart): Event {
    const { fixed, variable, added, derivedBytes } = this.layout;
    const reader = new RowReader(row);
    const event: Record<string, JsonValue> = { ...this.#shape.template };
    let left = part.size;
    const read = (field: NamedField) => {
      const keys = part.get(field.name);
      if (keys === undefined) return skipField(field, reader);
      left -= 1;
      event[field.name] = keys === 'whole' ? readField(field, reader) : readObjectWith(keys, reader);
    };
    const readAll = (fields: readonly NamedField[]) => {
      for (const field of fields) {
        if (left === 0 || reader.atEnd()) return;
        read(field);
      }
    };
    readAll(fixed);
    if (left > 0) reader.skip(derivedBytes);
    readAll(variable);
    if (left > 0 && added.length > 0) skipIndex(reader);
    readAll(added);
    return event as Event;
  }

  /**
   * Copies the bytes of a row to those of the tables that hold them, and checks that they are exactly one row: rows are stored back
   * to back, so that one which is too short or too long would corrupt those that follow. Fields that the row is too old to hold have
   * their defaults.
   * @returns the bytes of the texts of the payload
   * @throws AppError `VALIDATION_ERROR`; parts of the row may have been copied then
   */
  split(row: Buffer, { narrow, payload, key }: RowTargets): number {
    const { variable, added, fixedBytes, idBytes, sortTime } = this.layout;
    const reader = new RowReader(row);
    let payloadBytes = 0;
    // Neighbours are copied together.
    let [narrowFrom, payloadFrom, payloadEnd] = [0, 0, idBytes];
    const toPayload = (start: number, end: number) => {
      if (start !== payloadEnd) {
        payload?.copy(row, payloadFrom, payloadEnd);
        payloadFrom = start;
      }
      payloadEnd = end;
    };
    const take = (field: NamedField) => {
      const start = reader.offset;
      if (isPayloadField(field.name)) {
        const length = reader.varint();
        reader.skip(length);
        payloadBytes += length;
        toPayload(start, reader.offset);
        if (start > narrowFrom) narrow.copy(row, narrowFrom, start);
        narrowFrom = reader.offset;
      } else {
        skipField(field, reader);
        if (field.name === PROJECT_FIELD) {
          toPayload(start, reader.offset);
          key?.copy(row, start, reader.offset);
        }
      }
    };
    reader.skip(fixedBytes);
    toPayload(sortTime.start, sortTime.end);
    key?.copy(row, 0, idBytes);
    key?.copy(row, sortTime.hourStart, sortTime.end);
    variable.forEach(take);
    skipIndex(reader);
    const missing = added.filter((field) => reader.atEnd() || void take(field));
    if (!reader.atEnd()) throw validationError('the row of an event is longer than its values');
    payload?.copy(row, payloadFrom, payloadEnd);
    narrow.copy(row, narrowFrom, reader.offset);
    for (const field of missing) {
      const value = this.#defaultOf(field);
      (isPayloadField(field.name) ? payload : narrow)?.copy(value, 0, value.length);
    }
    return payloadBytes;
  }

  /**
   * A row with its location in the sort order and no other value, used to delete the row at that location. Its end is the time of
   * the deletion, Unix milliseconds; null when that is not known.
   */
  tombstone(
    { projectId, eventId, sessionId, startTime }: RowLocation,
    deletedAt: number | null = null,
  ): Buffer {
    const located = {
      project_id: projectId,
      event_id: eventId,
      session_id: sessionId,
      start_time: startTime,
      end_time: deletedAt,
    };
    const { fixed, variable, added } = this.layout;
    const writer = this.#writer;
    writer.begin();
    for (const field of fixed) this.#writeField(field, located, false);
    writer.uint64(startAt(startTime));
    writer.uint32(startHour(startTime));
    writer.uint8(0);
    for (const field of variable) this.#writeField(field, located, false);
    for (let empty = 0; empty < 4; empty++) writer.varint(0);
    for (const field of added) this.#writeField(field, located, false);
    return writer.take();
  }

  #defaultOf(field: NamedField): Buffer {
    this.#writer.begin();
    this.#writeField(field, { [field.name]: defaultOf(field) }, false);
    return this.#writer.take();
  }

  /** Writes one value; an absent one as null, or as the empty text or list. */
  #writeField({ name, type }: NamedField, values: Partial<Event>, hasHugeInteger: boolean): void {
    const writer = this.#writer;
    const value = values[name];
    switch (type) {
      case 'object':
        return writer.text(value === undefined ? '' : jsonOf(value as JsonObject, hasHugeInteger));
      case 'text':
        return writer.text((value as string | undefined) ?? '');
      case 'textOrNull':
        return writer.nullableText((value as string | null | undefined) ?? null);
      case 'numberOrNull':
        return writer.nullableFloat64((value as number | null | undefined) ?? null);
      case 'number':
        return writer.float64((value as number | undefined) ?? 0);
      case 'uuid':
        return writer.uuid((value as string | undefined) ?? '', name);
      case 'textList':
        return writer.texts((value as string[] | undefined) ?? []);
    }
  }

  #writeIndex(event: Event, { attrs, nums }: LeafIndex): void {
    const writer = this.#writer;
    writeLeaves(writer, attrs, (value) => writer.text(value));
    writeLeaves(writer, nums, (value) => writer.float64(value));
    writer.text(idOf(event.metadata['run_id']));
    writer.text(idOf(event.metadata['datapoint_id']));
  }
}

function writeLeaves<Value>(
  writer: RowWriter,
  { paths, values }: Leaves<Value>,
  write: (value: Value) => void,
): void {
  writer.varint(paths.length);
  values.forEach((value, index) => {
    writer.text(paths[index] ?? '');
    write(value);
  });
}

function jsonOf(object: JsonObject, hasHugeInteger: boolean): string {
  const json = repairEscapes(JSON.stringify(object));
  return hasHugeInteger ? writeHugeIntegersAsFloats(json) : json;
}

/** An id in the metadata: a number counts as its text. */
function idOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? JSON.stringify(value) : typeof value === 'string' ? value : '';
}
