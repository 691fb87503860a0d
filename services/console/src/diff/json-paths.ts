import { isValueObject, printValue, type Value } from '../payload/read-value.js';

/** Difference between two JSON values at one path; an absent side is undefined. */
export interface PathChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Changes beyond it are counted and not listed. */
export const MAX_CHANGES = 500;

/** Changes by path, in the order of the old value, with what only the new one has behind each object. */
export interface JsonDiff {
  readonly changes: readonly PathChange[];
  readonly total: number;
}

/** Compares two values path by path. Elements that only moved because of an insertion in front of them are no changes. */
export function diffJson(before: Value, after: Value): JsonDiff {
  const changes: PathChange[] = [];
  let total = 0;
  const report = (path: string, old: Value | undefined, now: Value | undefined) => {
    if (total++ < MAX_CHANGES) changes.push({ path, before: print(old), after: print(now) });
  };
  const compare = (path: string, old: Value | undefined, now: Value | undefined): void => {
    if (isValueObject(old) && isValueObject(now)) {
      for (const key of new Set([...Object.keys(old), ...Object.keys(now)]))
        compare(path + printKey(key), old[key], now[key]);
    } else if (Array.isArray(old) && Array.isArray(now)) {
      for (const [at, [one, other]] of alignLists(old, now).entries())
        compare(`${path}[${String(at)}]`, one, other);
    } else if (print(old) !== print(now)) report(path, old, now);
  };
  compare('', before, after);
  return { changes, total };
}

function print(value: Value | undefined): string | undefined {
  if (value === undefined) return undefined;
  return printValue(value);
}

function printKey(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Elements side by side: equal ones from both ends, what lies between by position. */
function alignLists(old: readonly Value[], now: readonly Value[]): [Value | undefined, Value | undefined][] {
  const [olds, nows] = [old.map(print), now.map(print)];
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && olds[start] === nows[start]) start++;
  let end = 0;
  while (end < shorter - start && olds.at(-1 - end) === nows.at(-1 - end)) end++;
  const middle = Math.max(old.length, now.length) - start - end;
  const between = Array.from({ length: middle }, (_, at): [Value | undefined, Value | undefined] => [
    start + at < old.length - end ? old[start + at] : undefined,
    start + at < now.length - end ? now[start + at] : undefined,
  ]);
  return [
    ...old.slice(0, start).map((one): [Value, Value] => [one, one]),
    ...between,
    ...old.slice(old.length - end).map((one): [Value, Value] => [one, one]),
  ];
}
