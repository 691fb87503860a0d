/** Part of a schema that the generator reads. */
export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: boolean;
}

/** Invalid value, with the reason and the path of the error. */
export interface BadValue {
  readonly why: string;
  /** Path as in messages, such as `filters.filterArray[0].field`; empty for the whole value. */
  readonly path: string;
  readonly value: unknown;
}

/** Returns a valid value with every declared property. */
export function sampleOf(schema: SchemaNode): unknown {
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, inner]) => [name, sampleOf(inner)]),
    );
  return schema.examples?.[0];
}

/**
 * Returns a value for each constraint of a schema that violates only this one: type, length, range,
 * enumeration, unknown key, missing key.
 */
export function badValues(schema: SchemaNode, path = ''): BadValue[] {
  return [
    ...wrongTypes(schema, path),
    ...wrongTexts(schema, path),
    ...wrongNumbers(schema, path),
    ...wrongLists(schema, path),
    ...wrongObjects(schema, path),
  ];
}

const OF_EACH_TYPE: readonly (readonly [type: string, value: unknown])[] = [
  ['null', null],
  ['boolean', true],
  ['number', 1.5],
  ['string', 'text'],
  ['array', []],
  ['object', {}],
];

function wrongTypes(schema: SchemaNode, path: string): BadValue[] {
  const allowed = typesOf(schema);
  if (allowed.length === 0) return [];
  const isAllowed = (type: string) =>
    allowed.includes(type) || (type === 'number' && allowed.includes('integer'));
  return OF_EACH_TYPE.filter(([type]) => !isAllowed(type)).map(([type, value]) => ({
    why: `a value of type ${type}`,
    path,
    value,
  }));
}

function wrongTexts(schema: SchemaNode, path: string): BadValue[] {
  if (!typesOf(schema).includes('string')) return [];
  const bad: BadValue[] = [];
  if (schema.enum) bad.push({ why: 'an unknown name', path, value: 'no-such-name' });
  if (schema.format) bad.push({ why: 'another form', path, value: 'no-such-form' });
  if (schema.minLength) bad.push({ why: 'empty text', path, value: '' });
  if (schema.maxLength) bad.push({ why: 'too long a text', path, value: 'x'.repeat(schema.maxLength + 1) });
  return bad;
}

function wrongNumbers(schema: SchemaNode, path: string): BadValue[] {
  const bad: BadValue[] = [];
  if (schema.minimum !== undefined) bad.push({ why: 'too small a number', path, value: schema.minimum - 1 });
  if (schema.exclusiveMinimum !== undefined)
    bad.push({ why: 'too small a number', path, value: schema.exclusiveMinimum });
  if (schema.maximum !== undefined) bad.push({ why: 'too large a number', path, value: schema.maximum + 1 });
  if (typesOf(schema).includes('integer')) bad.push({ why: 'a fraction', path, value: 1.5 });
  return bad;
}

function wrongLists(schema: SchemaNode, path: string): BadValue[] {
  if (!typesOf(schema).includes('array')) return [];
  const { items = {}, minItems = 0, maxItems } = schema;
  const item = sampleOf(items) ?? 'x';
  const inside = badValues(items, `${path}[0]`).map((bad) => ({ ...bad, value: [bad.value] }));
  const short: BadValue[] = minItems > 0 ? [{ why: 'too few items', path, value: [] }] : [];
  const long: BadValue[] =
    maxItems === undefined
      ? []
      : [{ why: 'too many items', path, value: Array.from({ length: maxItems + 1 }, () => item) }];
  return [...inside, ...short, ...long];
}

function wrongObjects(schema: SchemaNode, path: string): BadValue[] {
  if (!schema.properties) return [];
  const sample = Object.entries(sampleOf(schema) as object) as [string, unknown][];
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  const inside = Object.entries(schema.properties).flatMap(([name, inner]) =>
    badValues(inner, within(name)).map((bad) => ({
      ...bad,
      value: Object.fromEntries([...sample, [name, bad.value]]),
    })),
  );
  const lacking = (schema.required ?? []).map((name) => ({
    why: 'nothing',
    path: within(name),
    value: Object.fromEntries(sample.filter(([key]) => key !== name)),
  }));
  const unknown = {
    why: 'an unknown key',
    path: within('no_such_key'),
    value: Object.fromEntries([...sample, ['no_such_key', 1]]),
  };
  return [...inside, ...lacking, ...(schema.additionalProperties === false ? [unknown] : [])];
}

function typesOf({ type = [] }: SchemaNode): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}
