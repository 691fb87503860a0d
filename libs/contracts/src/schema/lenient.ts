import {
  Type,
  type Static,
  type TOptional,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox';

/** Properties that may be left out or sent as null, which is the same. */
export type OrNull<P extends TProperties> = { [K in keyof P]: TOptional<TUnsafe<Static<P[K]> | null>> };

/** The same properties for a lenient route: some clients send null for what they do not say. */
export function orNull<P extends TProperties>(properties: P): OrNull<P> {
  const lenient = Object.entries(properties).map(([name, schema]) => [
    name,
    Type.Optional(Type.Unsafe(withNull(schema))),
  ]);
  return Object.fromEntries(lenient) as OrNull<P>;
}

/** A schema without a type allows null already. */
function withNull(schema: TSchema): TSchema {
  if (schema.type === undefined) return schema;
  return { ...schema, type: [...new Set([schema.type, 'null'].flat())] };
}

/** An object, or its JSON as text: older clients encode it twice. */
export function objectOrText<T extends TSchema>(schema: T): TUnsafe<Static<T> | string> {
  const { $id: _name, ...rest } = schema;
  return Type.Unsafe<Static<T> | string>({ ...rest, type: ['object', 'string'] });
}
