import type { Operation } from './history.js';
import { isUserKey, type Fields } from './observed-fields.js';

/** One event as it is read back at the end. Every row counts: the same id twice is a duplicate. */
export interface Observed {
  readonly id: string;
  readonly fields: Fields;
}

export type ViolationKind =
  | 'lost event'
  | 'duplicate event'
  | 'resurrected event'
  | 'invented event'
  | 'lost field'
  | 'stale value'
  | 'refused value'
  | 'invented value'
  | 'invented field';

/** A broken guarantee. */
export interface Violation {
  readonly kind: ViolationKind;
  readonly id: string;
  readonly field?: string;
}

/**
 * Compares the final state with the responses that clients got:
 * - an event with an acknowledged create is there exactly once, unless its delete was acknowledged (then it is absent) or is unknown
 * - each field has the value of the last acknowledged update that set it, or else of the last acknowledged create; of operations that
 *   overlapped in time either may be last, and those of unknown outcome may or may not be visible
 * - there is no event, value or user key that no such operation made
 *
 * @param ignored fields that the server adds
 */
export function judgeHistory(
  operations: readonly Operation[],
  observed: readonly Observed[],
  ignored: ReadonlySet<string> = new Set(),
): Violation[] {
  const operationsById = groupById(operations);
  const rowsById = groupById(observed);
  const ids = new Set([...operationsById.keys(), ...rowsById.keys()]);
  return [...ids].flatMap((id) =>
    judgeEvent(id, operationsById.get(id) ?? [], rowsById.get(id) ?? [], ignored),
  );
}

function groupById<T extends { readonly id: string }>(
  items: readonly T[],
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(item.id);
    if (group === undefined) groups.set(item.id, [item]);
    else group.push(item);
  }
  return groups;
}

function judgeEvent(
  id: string,
  operations: readonly Operation[],
  rows: readonly Observed[],
  ignored: ReadonlySet<string>,
): Violation[] {
  const has = (kind: Operation['kind'], outcome: Operation['outcome']) =>
    operations.some((operation) => operation.kind === kind && operation.outcome === outcome);
  const [row, second] = rows;
  if (row === undefined) {
    const mustBeThere = has('create', 'ok') && !has('delete', 'ok') && !has('delete', 'unknown');
    return mustBeThere ? [{ kind: 'lost event', id }] : [];
  }
  if (has('delete', 'ok')) return [{ kind: 'resurrected event', id }];
  if (!has('create', 'ok') && !has('create', 'unknown')) return [{ kind: 'invented event', id }];
  const duplicate: Violation[] = second === undefined ? [] : [{ kind: 'duplicate event', id }];
  return [...duplicate, ...judgeFields(id, operations, row.fields, ignored)];
}

function judgeFields(
  id: string,
  operations: readonly Operation[],
  seen: Fields,
  ignored: ReadonlySet<string>,
): Violation[] {
  const names = new Set([
    ...operations.flatMap(({ fields }) => [...fields.keys()]),
    ...[...seen.keys()].filter(isUserKey),
  ]);
  return [...names].flatMap((field) => {
    const kind = ignored.has(field) ? undefined : judgeField(field, operations, seen.get(field));
    return kind === undefined ? [] : [{ kind, id, field }];
  });
}

function judgeField(
  field: string,
  operations: readonly Operation[],
  seen: string | undefined,
): ViolationKind | undefined {
  const setting = operations.filter(({ fields }) => fields.has(field));
  const done = setting.filter(({ outcome }) => outcome !== 'fail');
  const allowed = lastOf(done, field);
  if (seen === undefined) return done.some(({ outcome }) => outcome === 'ok') ? 'lost field' : undefined;
  if (allowed.has(seen)) return undefined;
  if (done.length === 0 && !isUserKey(field))
    return setting.some(sets(field, seen)) ? 'refused value' : undefined;
  if (done.some(sets(field, seen))) return 'stale value';
  if (setting.some(sets(field, seen))) return 'refused value';
  return done.length === 0 ? 'invented field' : 'invented value';
}

/** The values that may be last: of updates, and of creates unless an acknowledged update takes precedence. */
function lastOf(done: readonly Operation[], field: string): ReadonlySet<string | undefined> {
  const updates = done.filter(({ kind }) => kind === 'update');
  const creates = updates.some(({ outcome }) => outcome === 'ok')
    ? []
    : done.filter(({ kind }) => kind === 'create');
  return new Set([...notReplaced(updates), ...notReplaced(creates)].map(({ fields }) => fields.get(field)));
}

/** Operations after whose end no acknowledged one began. One of unknown outcome may take effect last. */
function notReplaced(operations: readonly Operation[]): Operation[] {
  const acknowledged = operations.filter(({ outcome }) => outcome === 'ok');
  const lastStart = acknowledged.reduce((last, { startedAt }) => Math.max(last, startedAt), -Infinity);
  return operations.filter(({ outcome, endedAt }) => outcome === 'unknown' || endedAt >= lastStart);
}

function sets(field: string, value: string): (operation: Operation) => boolean {
  return ({ fields }) => fields.get(field) === value;
}
