import { unavailable } from '@assay/errors';
import type { Finding } from '@assay/runtime';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  AdministrationPort,
  DeletedValues,
  PurgeLimits,
  PurgeStep,
  QueryLoad,
  RemovalStep,
  RepairReport,
  StatesPort,
  Tombstone,
  WriterPort,
} from '../event-store.js';
import { inspectEngine } from './engine/inspect-engine.js';
import { UNUSED_MEDIA_SECONDS } from './media/store-media.js';
import { ForgettingPass } from './purge/forget-deletes.js';
import { purgeDeletedStep, readDeletedValues } from './purge/purge-deleted.js';
import {
  readRowsWithoutPayload,
  readUnequalHours,
  readUnwrittenTombstones,
  type UnpairedScope,
} from './read/states/find-unpaired-rows.js';
import { MAX_MERGE_BYTES } from './schema/merge-limit.js';
import { migrate, missingMigrations } from './schema/migrate.js';
import { readProjectIds, removeProjectStep } from './write/remove-project.js';
import { repairRows } from './write/repair-rows.js';
import type { SqlContext } from './sql-context.js';

/** A check that takes longer has failed: its caller needs an answer now. */
const CHECK_TIMEOUT_MS = 5_000;

/** Migrates, repairs and inspects a store, and removes projects and deleted values from it. */
export class SqlAdministration implements AdministrationPort {
  #forgetting: ForgettingPass | undefined;

  constructor(
    private readonly context: SqlContext,
    private readonly states: StatesPort,
    private readonly writer: WriterPort,
  ) {}

  async migrate(): Promise<void> {
    await migrate(this.context.engine, this.context.topology);
    await this.context.options.onMigrated?.();
  }

  missingMigrations(): Promise<number[]> {
    return missingMigrations(this.context.engine, this.context.topology);
  }

  async rowsWithoutPayload(limit: number): Promise<Tombstone[]> {
    const { engine, tables } = this.context;
    const hours = await readUnequalHours(engine, tables);
    return hours.length === 0 ? [] : readRowsWithoutPayload(engine, tables, { limit, hours });
  }

  repair(): Promise<RepairReport> {
    const { engine, tables, options } = this.context;
    const unpaired = {
      hours: () => readUnequalHours(engine, tables),
      withoutPayload: (scope: UnpairedScope) => readRowsWithoutPayload(engine, tables, scope),
      tombstones: (scope: UnpairedScope) => readUnwrittenTombstones(engine, tables, scope),
    };
    return repairRows({
      ...{ unpaired, states: this.states, writer: this.writer },
      settleMs: options.settleMs,
    });
  }

  projectIds(): Promise<readonly string[]> {
    return readProjectIds(this.context.engine, this.context.topology);
  }

  async removeProject(projectId: string): Promise<RemovalStep> {
    // A step can end before the engine has removed its rows: the last one, which finds none, forgets totals too.
    const removed = this.context.beginChange();
    try {
      return await removeProjectStep(this.context.engine, this.context.topology, projectId);
    } finally {
      removed();
    }
  }

  deletedValues(): Promise<DeletedValues> {
    return readDeletedValues(this.context.engine, this.context.topology, this.unusedSeconds);
  }

  async purgeDeleted(limits: PurgeLimits): Promise<PurgeStep> {
    const { engine, topology, options } = this.context;
    const maxStatementBytes = options.maxRewriteBytes ?? MAX_MERGE_BYTES;
    const all = { ...limits, maxStatementBytes, unusedSeconds: this.unusedSeconds };
    const step = await purgeDeletedStep(engine, topology, all);
    const { forgetBefore, maxBytes } = limits;
    if (step.state !== 'idle' || forgetBefore === undefined || maxBytes <= 0) return step;
    // One that has begun is continued, unless it would forget more than this step may.
    if (this.#forgetting === undefined || this.#forgetting.before > forgetBefore)
      this.#forgetting = new ForgettingPass(engine, topology, forgetBefore);
    const forgotten = await this.#forgetting.step(all);
    if (forgotten.hasForgotten) this.#forgetting = undefined;
    return forgotten;
  }

  private get unusedSeconds(): number {
    return this.context.options.unusedMediaSeconds ?? UNUSED_MEDIA_SECONDS;
  }

  async check(): Promise<void> {
    const responded = new AbortController();
    const tooLate = delay(CHECK_TIMEOUT_MS, undefined, { signal: responded.signal }).then(() => {
      throw unavailable('the event store does not respond in time');
    });
    try {
      await Promise.race([this.context.engine.query({ sql: 'SELECT 1', bindings: {} }), tooLate]);
    } finally {
      responded.abort();
    }
  }

  /** An engine that is too old may lack what the further inspections ask for. */
  async inspect(): Promise<readonly Finding[]> {
    const { engine, options } = this.context;
    const findings = await inspectEngine(engine);
    const fits = findings.every(({ ok, mayStart }) => ok || mayStart);
    return fits && options.inspect ? [...findings, ...(await options.inspect())] : findings;
  }

  queryLoad(): QueryLoad {
    return this.context.queue.load;
  }

  async close(): Promise<void> {
    this.context.queue.close();
    await Promise.allSettled(this.context.writes);
    await this.context.engine.close();
    this.context.options.onClosed?.();
  }
}
