import {
  Type,
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox';

/** Optional properties for which null means absent. */
export type OrNull<P extends TProperties> = { [K in keyof P]: TOptional<TUnsafe<Static<P[K]> | null>> };

/**
 * Returns the properties of a lenient route: optional and nullable, because some clients send null for absent
 * fields.
 */
export function orNull<P extends TProperties>(properties: P): OrNull<P> {
  const lenient = Object.entries(properties).map(([name, schema]) => [
    name,
    Type.Optional(Type.Unsafe(withNull(schema))),
  ]);
  return Object.fromEntries(lenient) as OrNull<P>;
}

/** Adds null to the types and choices of a schema. A schema without a type already allows null. */
function withNull(schema: TSchema): TSchema {
  if (schema.type === undefined) return schema;
  const choices = schema.enum as readonly unknown[] | undefined;
  return {
    ...schema,
    type: [...new Set([schema.type, 'null'].flat())],
    ...(choices !== undefined && { enum: [...new Set([...choices, null])] }),
  };
}

/** Object, or its JSON as a string: older clients encode it twice. */
export function objectOrText<T extends TSchema>(schema: T): TUnsafe<Static<T> | string> {
  const { $id: _name, ...rest } = schema;
  return Type.Unsafe<Static<T> | string>({ ...rest, type: ['object', 'string'] });
}
