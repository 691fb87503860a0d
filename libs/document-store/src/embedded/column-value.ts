import type { Scalar } from '../document-store.js';
import type { ColumnResult, SqlValue } from './connection.js';

/**
 * SQLite orders NULL first, then numbers, then text by its UTF-8 bytes, then blobs by their bytes. Objects
 * and booleans become blobs, which sort last, in this order.
 */
const OBJECT = Buffer.of(0x30);
const FALSE = Buffer.of(0x40, 0);
const TRUE = Buffer.of(0x40, 1);

/** Lowest text and lowest blob: exclusive upper bounds of the numbers and of the texts in a column. */
export const LOWEST_TEXT = '';
export const LOWEST_BLOB = Buffer.alloc(0);

/**
 * Encodes a value for a column, so that SQLite compares and orders values as the port requires. Undefined
 * stands for an object or an array.
 */
export function toColumnValue(value: Scalar | undefined): SqlValue {
  if (value === undefined) return OBJECT;
  if (typeof value === 'boolean') return value ? TRUE : FALSE;
  return value;
}

/**
 * Returns the SQL that selects a column for {@link fromColumn}: text as a blob, because the native module
 * truncates text at a zero byte.
 */
export function selectColumn(column: string): string {
  return `typeof(${column}), CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) ELSE ${column} END`;
}

/** Decodes the value of a column that {@link selectColumn} selected. */
export function fromColumn(type: ColumnResult, value: ColumnResult): Scalar | undefined {
  if (typeof value !== 'object' || value === null) return value;
  const bytes = Buffer.from(value);
  if (type === 'text') return bytes.toString();
  return bytes.length === FALSE.length ? bytes.equals(TRUE) : undefined;
}

/** Decodes a text that may have been selected as a blob. */
export function textFrom(value: ColumnResult): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Buffer.from(value).toString() : '';
}
