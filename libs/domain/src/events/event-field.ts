import type { JsonObject, JsonValue } from '../json.js';

/** Values of a field; the encoding in a row, the type of the column and the JSON schema follow from it. */
export interface FieldTypes {
  readonly uuid: string;
  readonly text: string;
  readonly textOrNull: string | null;
  readonly textList: string[];
  readonly number: number;
  readonly numberOrNull: number | null;
  readonly object: JsonObject;
}
export type FieldType = keyof FieldTypes;

/**
 * Shape of a text that may leave the data plane. `id`: a UUID, 16 to 64 hexadecimal digits or up to 20
 * decimal digits, also after `EXT-`. `token`: up to 100 characters without white space, as in
 * `openai/gpt-4o`. `number`: a decimal number. `name`: one line of up to 200 characters.
 */
export type TextShape = 'id' | 'token' | 'number' | 'name';

/** Declaration of one field of an event. Absent flags are false. */
export interface EventField {
  readonly type: FieldType;
  /** Meaning and a valid value, for the API's schemas. */
  readonly description: string;
  readonly example: JsonValue;
  /** The only values that a text field takes. */
  readonly choices?: readonly string[];
  /** Default of a text field; other types default to null, an empty list or an empty object. */
  readonly default?: string;
  /** The value is set by the server and never read from a request. */
  readonly assigned?: true;
  /** Clients may send any JSON value, which is converted to the type. */
  readonly acceptsAnyJson?: true;
  /** The value is an id or a list of ids. UUIDs are stored in lower case. */
  readonly isId?: true;
  /** The number is a Unix time in milliseconds. */
  readonly instant?: true;
  /** Neither returned by the API nor available to filters. */
  readonly internal?: true;
  /** Updates may set the field. */
  readonly updatable?: true;
  /**
   * How several creates of one event are merged. `byKey` merges objects per key, and the preferred create
   * takes precedence; updates merge such an object in the same way instead of replacing it. `nonDefault`
   * takes the preferred create's value unless it is the default. Absent: takes the preferred create's value.
   * Parents and times have separate rules in `merge/`.
   */
  readonly merge?: 'byKey' | 'nonDefault';
  /** The field may hold text that people wrote, so operators can have it redacted. */
  readonly redactable?: true;
  /** With redaction, the text leaves the data plane only in this shape; absent: by the allow list. */
  readonly leaves?: TextShape;
  /** The column is in the payload table, apart from the columns that lists and aggregates read. */
  readonly payload?: true;
  /** Objects: the order in which their leaves fill the bounded index, lowest first. */
  readonly indexRank?: number;
  /** Migration of the event store that adds the column, for fields declared after the first release. */
  readonly addedIn?: number;
}

/** Value of a declared field. */
export type FieldValue<F extends EventField> = F extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : FieldTypes[F['type']];

/** Value of a declared field as a client may send it, checked against the schema. */
export type SentValue<F extends EventField> = F extends { readonly acceptsAnyJson: true }
  ? JsonValue
  : F['type'] extends 'textList'
    ? readonly string[]
    : FieldValue<F>;

/** Names of the fields whose declaration has these properties. */
export type NamesWhere<Fields extends Readonly<Record<string, EventField>>, Properties> = {
  [Name in keyof Fields]: Fields[Name] extends Properties ? Name : never;
}[keyof Fields];

/** Returns the default of a field. Every call returns a new object or list. */
export function defaultOf(field: EventField): JsonValue {
  switch (field.type) {
    case 'uuid':
    case 'text':
      return field.default ?? '';
    case 'number':
      return 0;
    case 'textList':
      return [];
    case 'object':
      return {};
    default:
      return null;
  }
}

/** Returns whether the value is the default of its field. */
export function isDefault(field: EventField, value: JsonValue): boolean {
  if (value === null) return true;
  return typeof value === 'object' ? Object.keys(value).length === 0 : value === defaultOf(field);
}
