import { NO_STEP, type PurgeStep } from '../../deleted-values.js';
import type { QueryRunner, SqlEngine } from '../engine/engine.js';
import { tableNames, type Topology } from '../schema/topology.js';
import { readSizes } from './deleted-parts.js';
import { FORGOTTEN_TABLES, isOld, type ForgottenTable } from './forgotten-tables.js';
import { partsBeside, rewrite } from './rewrite-parts.js';
import { groupsOf, readSlices, withinOne, SLICE_BOUNDS, type Slice, type SlicedPart } from './slices.js';

/** Share of the rows of a part from which it is worth to be rewritten: what is stored is rewritten five times for what goes, at most. */
const MIN_SHARE = 0.2;
/** Share of the rows that one rewrite compares from which it is worth it, where a part has more. */
const MIN_SHARE_OF_REWRITE = 0.5;
/** Share of the narrow rows of a partition from which parts are looked at. */
const MIN_SHARE_OF_PARTITION = MIN_SHARE / 2;

/** What one step may do. */
export interface ForgetLimits {
  /** Bytes on disk of the parts that the step rewrites. */
  readonly maxBytes: number;
  /** Whether one part above `maxBytes` may be rewritten. */
  readonly allowsLargerPart: boolean;
  /** Age of keys from which no row is still being written that needs them, in seconds. */
  readonly unusedSeconds: number;
  /** Bytes on disk of the parts that are rewritten at the same time. */
  readonly maxStatementBytes: number;
}

/** Slices of a table that one rewrite can compare. */
interface Group {
  readonly table: ForgottenTable;
  readonly slices: readonly Slice[];
  /** Groups of this table. */
  readonly groups: number;
}

/**
 * Forgets the deletes until a time: removes rows that say only that an event was deleted. It looks at each slice of each table once, and
 * rewrites the parts that are worth it. It remembers how far it is, and nothing that matters: another one begins with what is left.
 */
export class ForgettingPass {
  /** Absent: nothing is read yet. */
  #groups: Group[] | undefined;
  /** The newest insert of keys of which all rows are written that need them. */
  #settledInsert = -1;

  constructor(
    private readonly engine: SqlEngine,
    private readonly topology: Topology,
    /** Unix milliseconds. */
    readonly before: number,
    private readonly bounds = SLICE_BOUNDS,
  ) {}

  /**
   * Looks at what one rewrite can compare, and starts to rewrite the parts of one partition that are worth it, if any; `idle`: nothing is
   * left to be looked at, with `hasForgotten`, or nothing is within the limits. Looks at little while few narrow rows are tombstones.
   */
  async step(limits: ForgetLimits): Promise<PurgeStep> {
    this.#groups ??= await this.#readGroups(limits);
    const [group] = this.#groups;
    if (group === undefined) return { state: 'idle', ...NO_STEP, hasForgotten: true };
    const parts = await this.#partsOf(group);
    const { maxBytes, maxStatementBytes, allowsLargerPart } = limits;
    const [first] = allowsLargerPart ? parts : parts.filter(({ bytes }) => bytes <= maxBytes);
    if (first === undefined && parts.length > 0) return { state: 'idle', ...NO_STEP };
    const chosen = first && partsBeside(first, parts, Math.min(maxBytes, maxStatementBytes));
    if (chosen === undefined || chosen.length === parts.length) this.#groups.shift();
    if (chosen === undefined) return { state: 'started', ...NO_STEP, isForgetting: true };
    const { sql, rows, bytes } = rewrite(chosen, this.#statement(group), this.topology);
    await this.engine.command(sql);
    return { state: 'started', rows, bytes, isForgetting: true };
  }

  async #readGroups({ unusedSeconds }: ForgetLimits): Promise<Group[]> {
    const { engine, topology, bounds } = this;
    if (!(await hasMany(engine, topology, this.before))) return [];
    const groups: Group[] = [];
    for (const table of FORGOTTEN_TABLES) {
      if (table.isFirst) {
        const sizes = [...(await readSizes(engine, table, topology)).values()];
        const settled = sizes.filter(({ age }) => age >= unusedSeconds);
        this.#settledInsert = Math.max(-1, ...settled.map(({ lastInsert }) => lastInsert));
      }
      const of = table.slicedAs.hasHour ? ` AND ${isOld(this.before)}` : '';
      const slices = await readSlices(engine, table.slicedAs, topology, { ...bounds, of });
      const ofTable = groupsOf(slices, bounds.perRewrite);
      groups.push(...ofTable.map((group) => ({ table, slices: group, groups: ofTable.length })));
    }
    return groups;
  }

  /** Returns the parts that are worth to be rewritten, those with the most rows first. */
  async #partsOf({ table, slices, groups }: Group): Promise<SlicedPart[]> {
    const { engine, topology } = this;
    const found: (FoundPart & { readonly slice: Slice })[] = [];
    for (const slice of slices)
      for (const part of await engine.query<FoundPart>({ sql: this.#partsSql(table, slice), bindings: {} }))
        found.push({ ...part, slice });
    if (found.length === 0) return [];
    const sizes = await readSizes(engine, table, topology);
    const stored = [...sizes.values()].reduce((sum, { rows }) => sum + rows, 0);
    const isWorth = (rows: number, of: number) =>
      rows >= Math.min(of * MIN_SHARE, this.bounds.perRewrite * MIN_SHARE_OF_REWRITE);
    const all = found.reduce((sum, { rows }) => sum + rows, 0);
    if (table.isSpread && all < (stored / groups) * MIN_SHARE) return [];
    const parts = [...new Set(found.map(({ name }) => name))].flatMap((name) => {
      const size = sizes.get(name);
      // A row may still be missing of a write that was stopped after its keys, and is repeated without them.
      if (size === undefined || (table.isFirst && size.lastInsert > this.#settledInsert)) return [];
      const inSlices = found.filter((part) => part.name === name);
      const rows = inSlices.reduce((sum, slice) => sum + slice.rows, 0);
      if (!table.isSpread && !isWorth(rows, size.rows)) return [];
      return { name, partition: inSlices[0]?.partition ?? '', rows, bytes: size.bytes, slices: inSlices };
    });
    return parts.sort((one, other) => other.rows - one.rows);
  }

  #partsSql(table: ForgottenTable, { within }: Slice): string {
    const names = tableNames(this.topology);
    const of = { before: this.before, within };
    return (
      `SELECT _part AS name, _partition_id AS partition, toFloat64(count()) AS rows FROM ${names[table.readFrom]} ` +
      `WHERE ${table.isForgotten({ ...names, allEvents: names.events }, of)}${within} GROUP BY name, partition`
    );
  }

  #statement({ table, slices }: Group) {
    const { evaluations, changes, events: allEvents } = tableNames(this.topology);
    const local = (name: string) => `${this.topology.database}.${name}`;
    const sources = {
      ...{ events: local('events'), payloads: local('event_payloads'), ids: local('event_ids') },
      ...{ evaluations, changes, allEvents },
    };
    const within = withinOne(slices);
    const where = `${table.isForgotten(sources, { before: this.before, within })}${within}`;
    return { name: local(table.table), slices, where };
  }
}

async function hasMany(engine: QueryRunner, topology: Topology, before: number): Promise<boolean> {
  const partitions = await engine.query<{ readonly share: number }>({
    sql:
      `SELECT _partition_id AS partition, countIf(${isOld(before)}) / count() AS share ` +
      `FROM ${tableNames(topology).events} GROUP BY partition`,
    bindings: {},
  });
  return partitions.some(({ share }) => share >= MIN_SHARE_OF_PARTITION);
}

interface FoundPart {
  readonly name: string;
  readonly partition: string;
  readonly rows: number;
}
