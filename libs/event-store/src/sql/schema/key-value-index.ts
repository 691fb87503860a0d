import { literal, type SqlEngine } from '../engine/engine.js';
import { onCluster, type Topology } from './topology.js';

const NAME = 'ix_kv';

/**
 * Definition of the index of an event's leaves. A text index finds the rows with a leaf; a server without one skips the blocks of
 * rows whose Bloom filters exclude it.
 */
export function keyValueIndex({ server }: Topology): string {
  const hasTextIndex = server?.hasTextIndex ?? true;
  return `${NAME} kv TYPE ${hasTextIndex ? "text(tokenizer = 'array')" : 'bloom_filter(0.01) GRANULARITY 1'}`;
}

/**
 * Gives the narrow table a text index once its server has them. Rows that are stored get it in the background; until then every
 * block of them is read.
 */
export async function adoptTextIndex(engine: SqlEngine, topology: Topology): Promise<void> {
  const { database, server } = topology;
  if (server?.hasTextIndex !== true) return;
  const [found] = await engine.query<{ type: string }>({
    sql:
      'SELECT type FROM system.data_skipping_indices ' +
      `WHERE database = ${literal(database)} AND table = 'events' AND name = ${literal(NAME)}`,
    bindings: {},
  });
  if (found?.type === 'text') return;
  const alter = `ALTER TABLE ${database}.events${onCluster(topology)}`;
  await engine.command(`${alter} DROP INDEX IF EXISTS ${NAME}, ADD INDEX ${keyValueIndex(topology)}`);
  await engine.command(`${alter} MATERIALIZE INDEX ${NAME}`);
}
