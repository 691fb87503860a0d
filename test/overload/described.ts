/** What a schema of the catalogue says of a value. */
export interface Described {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  readonly examples?: readonly unknown[];
  readonly anyOf?: readonly Described[];
}

/** Whether a value may be of a type, of which the schema may say nothing. */
export function mayBe(schema: Described, type: 'object' | 'array' | 'string'): boolean {
  const types = alternatives(schema).map((one) => one.type);
  return types.includes(type) || types.every((one) => one === undefined);
}

export function itemsOf(schema: Described): Described | undefined {
  return alternatives(schema).find(({ items }) => items)?.items;
}

export function propertiesOf(schema: Described): Readonly<Record<string, Described>> {
  return alternatives(schema).find(({ properties }) => properties)?.properties ?? {};
}

/** Returns a value that the schema describes, with all its fields. */
export function exampleOf(schema: Described): unknown {
  if (schema.examples?.length) return schema.examples[0];
  if (schema.items) return [exampleOf(schema.items)];
  const entries = Object.entries(propertiesOf(schema));
  if (entries.length === 0) return 'x';
  return Object.fromEntries(entries.map(([name, property]) => [name, exampleOf(property)]));
}

function alternatives(schema: Described): readonly Described[] {
  return [schema, ...(schema.anyOf ?? [])];
}
