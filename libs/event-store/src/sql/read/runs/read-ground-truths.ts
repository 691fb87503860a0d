import { visible } from '../rows/visible.js';
import type { GroundTruths, Label } from '@assay/domain';
import type { GroundTruthQuery } from '../../../aggregates-port.js';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';
import { isStoredId } from '../rows/stored-id.js';

/** Session ids of one statement: about 205 KB of text. A ClickHouse server parses at most 256 KiB of one parameter. */
const SESSIONS_PER_QUERY = 5_000;
/** Longest label as JSON, in bytes; longer texts are no labels. */
const MAX_LABEL_BYTES = 1_000;

/** Values are taken out of the JSON of such rows alone. */
const HAS_TRUTHS = `position(feedback, '"ground_truth"') > 0`;

interface TruthRow {
  readonly id: string;
  /** JSON of the values, in the order of the names; empty for absent ones. */
  readonly raws: readonly string[];
}

/** Reads the labels in the ground truths of the events of sessions. Of two rows of one event, while its sort key changes, the newest counts. */
export async function readGroundTruths(
  runner: QueryRunner,
  tables: TableNames,
  projectId: string,
  { sessionIds, names }: GroundTruthQuery,
): Promise<GroundTruths> {
  const truths = new Map<string, ReadonlyMap<string, Label>>();
  if (names.length === 0) return truths;
  for (const ids of chunks(sessionIds.filter(isStoredId), SESSIONS_PER_QUERY)) {
    const binder = new Binder();
    const raws = names.map((name) => {
      const raw = `JSONExtractRaw(feedback, 'ground_truth', ${binder.text(name)})`;
      return `if(length(${raw}) > ${MAX_LABEL_BYTES}, '', ${raw})`;
    });
    const sql =
      `SELECT toString(event_id) AS id, argMax(if(${HAS_TRUTHS}, [${raws.join(', ')}], []), ver) AS raws FROM ${visible(tables.events)} ` +
      `PREWHERE project_id = ${binder.text(projectId)} AND session_id IN ${binder.bind(ids, 'Array(UUID)')} ` +
      `GROUP BY event_id HAVING notEmpty(raws)`;
    for (const row of await runner.query<TruthRow>({ sql, bindings: binder.bindings }))
      truths.set(row.id, labelsOf(row, names));
  }
  return truths;
}

function labelsOf({ raws }: TruthRow, names: readonly string[]): ReadonlyMap<string, Label> {
  return new Map(
    names.flatMap((name, index) => {
      const raw = raws[index] ?? '';
      const value: unknown = raw === '' ? undefined : JSON.parse(raw);
      return typeof value === 'boolean' || typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
}
