import type { JsonObject, JsonValue } from '@assay/domain';
import { nearestName } from '@assay/errors';
import { InvalidArgumentError } from 'commander';
import { CliError } from '../cli-error.js';

/** Parts of a datapoint that columns are copied to. */
const PARTS = ['inputs', 'ground_truth', 'metadata'] as const;
const MAX_NAMED_COLUMNS = 20;
const EXIT_USAGE = 2;
/** These names would change the prototype of an object. */
const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

/** Where the value of one column goes: `history`, or a part of the datapoint and a path within it. */
export interface Target {
  readonly column: string;
  /** Such as `['inputs', 'question']`. */
  readonly path: readonly string[];
}

/** Reads `--map COLUMN=TARGET`. The last `=` counts, because a column may contain one. */
export function readMapping(text: string, before: readonly Target[]): Target[] {
  const end = text.lastIndexOf('=');
  const path = text.slice(end + 1).split('.');
  const column = text.slice(0, end);
  if (end < 1 || !isTarget(path))
    throw new InvalidArgumentError(
      'must be COLUMN=TARGET, where TARGET is inputs.NAME, ground_truth.NAME, metadata.NAME or history.',
    );
  if (before.some((target) => target.column === column))
    throw new InvalidArgumentError('names a column that an earlier --map names, too.');
  if (before.some((target) => isWithin(target.path, path) || isWithin(path, target.path)))
    throw new InvalidArgumentError('has a target that an earlier --map has, or that contains it.');
  return [...before, { column, path }];
}

function isTarget(path: readonly string[]): boolean {
  const [part = '', ...names] = path;
  if (part === 'history') return names.length === 0;
  const isNamed = names.length > 0 && names.every((name) => name !== '' && !FORBIDDEN.includes(name));
  return PARTS.some((known) => known === part) && isNamed;
}

function isWithin(outer: readonly string[], inner: readonly string[]): boolean {
  return outer.every((name, index) => inner[index] === name);
}

/**
 * Returns the target of each column. Without `--map` a column whose name is a target, such as `ground_truth.answer`, goes
 * there, and every other one to the inputs. With `--map` the columns that no `--map` names go to the metadata.
 */
export function targetsOf(columns: readonly string[], mapping: readonly Target[]): Target[] {
  const targets = columns.map(
    (column) =>
      mapping.find((target) => target.column === column) ?? defaultTarget(column, mapping.length > 0),
  );
  const forbidden = columns.find((column) => FORBIDDEN.includes(column));
  if (forbidden !== undefined) throw new CliError(`a column must not have the name ${forbidden}`);
  for (const [index, { path }] of targets.entries())
    for (const other of targets.slice(0, index))
      if (isWithin(other.path, path) || isWithin(path, other.path))
        throw new CliError(`two columns go to ${path.join('.')}, map one of them elsewhere`, EXIT_USAGE);
  return targets;
}

function defaultTarget(column: string, isMapped: boolean): Target {
  if (isMapped) return { column, path: ['metadata', column] };
  const path = column.split('.');
  return { column, path: path.length > 1 && isTarget(path) ? path : ['inputs', column] };
}

/** @throws CliError that names the column of a `--map` which the file lacks, the nearest one, and those that it has */
export function assertKnown(columns: readonly string[], mapping: readonly Target[]): void {
  const unknown = mapping.find(({ column }) => !columns.includes(column));
  if (unknown === undefined) return;
  const nearest = nearestName(unknown.column, columns);
  const known = columns.slice(0, MAX_NAMED_COLUMNS).map((column) => JSON.stringify(column));
  if (columns.length > known.length) known.push('…');
  throw new CliError(
    `the file has no column ${JSON.stringify(unknown.column)}` +
      (nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`) +
      `, its columns are ${known.join(', ')}`,
    EXIT_USAGE,
  );
}

/** Puts a value into a datapoint. */
export function assign(datapoint: JsonObject, path: readonly string[], value: JsonValue): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    datapoint[name] = value;
    return;
  }
  const inner = datapoint[name];
  const object: JsonObject =
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
  datapoint[name] = object;
  assign(object, rest, value);
}
