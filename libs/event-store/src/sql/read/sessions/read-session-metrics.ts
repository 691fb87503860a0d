import { visible } from '../rows/visible.js';
import { ofSessions } from '../rows/of-sessions.js';
import type { JsonObject } from '@assay/domain';
import type { EventKey } from '../../../event-store.js';
import { Binder } from '../../engine/binder.js';
import type { QueryRunner } from '../../engine/engine.js';
import type { TableNames } from '../../schema/topology.js';
import { chunks } from '../rows/chunks.js';
import { byProject } from '../rows/keys-by-project.js';

/** Ids of one statement. */
const IDS_PER_QUERY = 1_000;
/** Events of a session whose metrics are read. */
const MAX_EVENTS = 20_000;

/** The metrics of the events of sessions, by `projectId/sessionId`; events without metrics are left out. */
export async function readSessionMetrics(
  runner: QueryRunner,
  tables: TableNames,
  keys: readonly EventKey[],
): Promise<Map<string, JsonObject[]>> {
  const found = new Map<string, JsonObject[]>();
  for (const [projectId, sessionIds] of byProject(keys)) {
    for (const ids of chunks([...sessionIds], IDS_PER_QUERY)) {
      const binder = new Binder();
      const onKey = ofSessions(tables, { projectId, sessionIds: ids }, binder);
      const sql =
        `SELECT toString(session_id) AS session, e.metrics AS metrics FROM ${visible(tables.events, 'e')} ` +
        `PREWHERE ${onKey} WHERE e.metrics != '{}' ORDER BY event_id LIMIT ${MAX_EVENTS} BY session_id`;
      const rows = await runner.query<{ session: string; metrics: string }>({
        sql,
        bindings: binder.bindings,
      });
      for (const { session, metrics } of rows) {
        const key = `${projectId}/${session}`;
        const list = found.get(key) ?? [];
        list.push(JSON.parse(metrics) as JsonObject);
        found.set(key, list);
      }
    }
  }
  return found;
}
