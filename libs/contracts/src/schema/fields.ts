import { Type, type TSchema, type TUnsafe } from '@sinclair/typebox';
import type { JsonObject, JsonValue } from '@assay/domain';

/** Annotations of every schema node: the meaning of the field, and one valid example. */
const about = (description: string, example: unknown) => ({ description, examples: [example] });

export interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: 'date-time' | 'uuid';
  /** Regular expression. */
  readonly pattern?: string;
}

export const text = (description: string, example: string, limits: TextLimits = {}) =>
  Type.String({ ...about(description, example), ...limits });

export const textOrNull = (description: string, example: string | null) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...about(description, example) });

export const flag = (description: string, example: boolean) => Type.Boolean(about(description, example));

/** Hyphenated UUID of any version, in either case. */
export const uuid = (description: string) =>
  text(description, '0b5f9d0c-7f0a-4f6e-9c1b-3f1f8f0a1d2e', { format: 'uuid' });

/** Unix time or duration in milliseconds. A fraction carries microseconds. */
export const milliseconds = (description: string, example: number) =>
  Type.Number({ minimum: 0, ...about(description, example) });

export const integer = (
  description: string,
  example: number,
  limits: { minimum?: number; maximum?: number; default?: number } = {},
) => Type.Integer({ ...about(description, example), ...limits });

export const textList = (description: string, example: string[]) =>
  Type.Array(Type.String(), about(description, example));

export const listOf = <T extends TSchema>(item: T, description: string, example: unknown[] = []) =>
  Type.Array(item, about(description, example));

/** Enumeration of strings. */
export const choice = <T extends string>(values: readonly T[], description: string, example: T): TUnsafe<T> =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...about(description, example) });

/** Object with keys chosen by the user. */
export const openObject = (
  description: string,
  example: JsonObject,
  limits: { maxProperties?: number } = {},
) => Type.Unsafe<JsonObject>({ type: 'object', ...about(description, example), ...limits });

/** Any JSON value. */
export const anyJson = (description: string, example: JsonValue) =>
  Type.Unsafe<JsonValue>(about(description, example));

export const objectOrList = (description: string, example: JsonValue) =>
  Type.Unsafe<JsonObject | JsonValue[]>({ type: ['object', 'array'], ...about(description, example) });

/** Constant `true` in the body of a successful response. */
export const success = () =>
  Type.Unsafe<boolean>({ type: 'boolean', const: true, ...about('Always true on success.', true) });
