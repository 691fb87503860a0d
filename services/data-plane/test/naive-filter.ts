/** A filter as a request contains it. */
export interface SentFilter {
  readonly field: string;
  readonly operator: string;
  readonly type: string;
  readonly value?: string | number | boolean;
}

type Json = unknown;

const DAY_MS = 86_400_000;

/**
 * Decides whether an event of a response satisfies a filter, directly on its JSON: a third implementation of the filter
 * language beside `matchesFilter` of the domain and the statements of the event store. It shares no code with them.
 */
export function naivelyMatches(response: object, { field, operator, type, value }: SentFilter): boolean {
  const found = naiveValue(response, field);
  const both = () => [readAs(type, found), readAs(type, value)] as const;
  switch (operator) {
    case 'exists':
      return found !== undefined;
    case 'not exists':
      return found === undefined;
    case 'is':
      return isSame(...both());
    case 'is not':
      return !isSame(...both());
    case 'contains':
      return hasText(found, String(value));
    case 'not contains':
      return !hasText(found, String(value));
    case 'greater than':
    case 'after':
      return compare(...both(), (a, b) => a > b);
    case 'less than':
    case 'before':
      return compare(...both(), (a, b) => a < b);
    case 'greater than or equal':
      return compare(...both(), (a, b) => a > b || a === b);
    case 'less than or equal':
      return compare(readAs(type, found), upperBound(type, value), (a, b) => a < b || a === b);
    default:
      throw new Error(`unknown operator ${operator}`);
  }
}

/**
 * Returns the value at a dotted field of a response; undefined when it is absent or null. Keys of user data may contain
 * dots: nested keys are tried first, then one long key at the start, then one at the end, longest first.
 */
export function naiveValue(response: object, field: string): Json {
  const [root = '', ...rest] = field.split('.');
  const top = own(response, root);
  if (rest.length === 0) return top;
  for (const keys of spellings(rest)) {
    const found = keys.reduce<Json>((value, key) => own(value, key), top);
    if (found !== undefined) return found;
  }
  return undefined;
}

function spellings(keys: readonly string[]): string[][] {
  const all = [[...keys]];
  for (let taken = keys.length; taken > 1; taken--)
    all.push([keys.slice(0, taken).join('.'), ...keys.slice(taken)]);
  for (let taken = keys.length - 1; taken > 1; taken--) {
    const before = keys.slice(0, keys.length - taken);
    all.push([...before, keys.slice(keys.length - taken).join('.')]);
  }
  return all;
}

function own(value: Json, key: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const entry = Object.entries(value).find(([name]) => name === key);
  return entry?.[1] ?? undefined;
}

function readAs(type: string, value: Json): string | number | boolean | undefined {
  if (value === undefined) return undefined;
  if (type === 'string') return asText(value);
  if (type === 'boolean') {
    if (typeof value === 'boolean') return value;
    if (typeof value !== 'string' || !/^(true|false)$/i.test(value)) return undefined;
    return /^t/i.test(value);
  }
  const number = asNumber(value);
  return number === undefined && type === 'datetime' ? asTime(value) : number;
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function asNumber(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || !/^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$/i.test(value)) return undefined;
  return Number.isFinite(Number(value)) ? Number(value) : undefined;
}

/** ISO 8601 text by the clock of JavaScript, which moves days that do not exist to the next month. */
function asTime(value: Json): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d([T ]\d\d:\d\d|$)/i.test(value)) return undefined;
  const day = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== value.slice(0, 10)) return undefined;
  const clock = value.slice(11).toUpperCase();
  const zoned = clock === '' ? '00:00Z' : /(Z|[-+]\d\d:?\d\d)$/.test(clock) ? clock : `${clock}Z`;
  const time = Date.parse(`${value.slice(0, 10)}T${zoned}`);
  return Number.isNaN(time) ? undefined : time;
}

/** Up to a date means up to the end of that day. */
function upperBound(type: string, value: Json): string | number | boolean | undefined {
  const bound = readAs(type, value);
  const isDay = type === 'datetime' && typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  return isDay && typeof bound === 'number' ? bound + DAY_MS - 1 : bound;
}

function isSame(a: unknown, b: unknown): boolean {
  return a !== undefined && a === b;
}

function hasText(value: Json, part: string): boolean {
  return value !== undefined && asText(value).toLowerCase().includes(part.toLowerCase());
}

function compare(a: unknown, b: unknown, holds: (a: number, b: number) => boolean): boolean {
  return typeof a === 'number' && typeof b === 'number' && holds(a, b);
}
