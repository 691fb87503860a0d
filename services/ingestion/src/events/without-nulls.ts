/** A value in which every field that may be null is absent instead. */
export type WithoutNulls<T> = { [K in keyof T]: Exclude<T[K], null> };

/** The same object without the fields that are null: on lenient routes null says nothing. */
export function withoutNulls<T extends object>(sent: T): WithoutNulls<T> {
  return Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)) as WithoutNulls<T>;
}
