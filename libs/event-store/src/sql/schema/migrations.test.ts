import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bound } from '../../../test/engine-fixture.js';
import { ChdbEngine } from '../../chdb/chdb-engine.js';
import { commandFailure } from '../engine/engine-failure.js';
import { DEFAULT_QUERY_LIMITS, type SqlEngine } from '../engine/engine.js';
import { definitions } from './complete-nodes.js';
import { migrate, missingMigrations } from './migrate.js';
import { foundation, migrations } from './migrations.js';
import { readServerFeatures } from './server-features.js';
import { checkTopology, type Topology } from './topology.js';

const statementsOf = (topology: Topology) => [
  ...foundation(topology),
  ...migrations(topology).flatMap((migration) => migration.statements),
];

describe('the tables', () => {
  const single = statementsOf({ database: 'assay' });
  const cluster = statementsOf({ database: 'assay', cluster: 'main' });

  it('are those of the release', () => {
    expect(single.join(';\n\n')).toMatchSnapshot();
  });

  it('have replicated engines, ON CLUSTER and a distributed table each on a cluster', () => {
    const plain = cluster
      .filter(
        (statement) =>
          !statement.includes('ENGINE = Distributed') && !/^ALTER TABLE \S+_all /.test(statement),
      )
      .map((statement) => statement.replaceAll(` ON CLUSTER 'main'`, ''))
      .map((statement) => statement.replace(/Replicated(\w+)\('[^']+', '[^']*\{replica\}'(?:, )?/, '$1('));
    expect(plain).toStrictEqual(single);
    expect(cluster.filter((statement) => statement.includes('ENGINE = Distributed'))).toMatchSnapshot();
    expect(cluster.every((statement) => statement.includes(` ON CLUSTER 'main'`))).toBe(true);
  });

  it('have a Bloom filter instead of the text index, and only settings that the server knows, on an older server', () => {
    const server = {
      hasTextIndex: false,
      tableSettings: new Set(['index_granularity', 'min_bytes_for_wide_part']),
    };
    const all = statementsOf({ database: 'assay', server }).join('\n');
    expect(all).toContain('INDEX ix_kv kv TYPE bloom_filter(0.01) GRANULARITY 1');
    expect(all).not.toMatch(/text\(|fsync|merge_selector_base/);
    expect(all).toMatch(/SETTINGS index_granularity = 1024$/m);
    expect(all).toMatch(/MODIFY SETTING min_bytes_for_wide_part = 67108864$/m);
  });

  it('get the text index after the server has been upgraded', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-upgraded-'));
    const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
    const topology = { database: 'upgraded' };
    const server = { ...(await readServerFeatures(engine)), hasTextIndex: false };
    const indexes = () =>
      engine.query<{ type: string }>({
        sql: `SELECT type FROM system.data_skipping_indices WHERE database = 'upgraded' AND table = 'events' AND name = 'ix_kv'`,
        bindings: {},
      });
    try {
      for (const statement of [
        ...foundation(topology),
        ...migrations({ ...topology, server })[0]!.statements,
      ])
        await engine.command(statement);
      expect(await indexes()).toEqual([{ type: 'bloom_filter' }]);
      await migrate(engine, topology);
      expect(await indexes()).toEqual([{ type: 'text' }]);
      await migrate(engine, topology);
      expect(await indexes()).toEqual([{ type: 'text' }]);
    } finally {
      await engine.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it('are created as they are on a node that lacks them', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-joined-'));
    const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
    const topology = { database: 'joined' };
    try {
      await migrate(engine, topology);
      const statements = await definitions(engine, topology);
      expect(statements.length).toBeGreaterThan(8);
      await engine.command('DROP DATABASE joined SYNC');
      await engine.command('CREATE DATABASE joined');
      for (let attempt = 1; attempt <= 2; attempt++)
        for (const statement of statements) await engine.command(statement);
      expect(await definitions(engine, topology)).toEqual(statements);
      const onNodes = await definitions(engine, { ...topology, cluster: 'main' });
      for (const sql of onNodes) {
        expect(sql).toMatch(/^CREATE (TABLE|MATERIALIZED VIEW) IF NOT EXISTS joined\.\w+ ON CLUSTER 'main' /);
        expect(await engine.query({ sql: `EXPLAIN AST ${sql}`, bindings: {} })).not.toHaveLength(0);
      }
    } finally {
      await engine.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it('come from migrations with different versions, in their order', () => {
    const versions = migrations({ database: 'assay' }).map(({ version }) => version);
    expect(versions).toStrictEqual([...new Set(versions)].sort((one, other) => one - other));
  });

  it('are accepted by the engine, also on a cluster', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-ddl-'));
    const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
    try {
      for (const statement of cluster)
        expect(await engine.query({ sql: `EXPLAIN AST ${statement}`, bindings: {} })).not.toHaveLength(0);
    } finally {
      await engine.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it('are changed again when another process changed them meanwhile', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'assay-altered-'));
    const engine = new ChdbEngine({ dir, readers: 1, limits: DEFAULT_QUERY_LIMITS });
    const failed = new Set<string>();
    const altered: SqlEngine = {
      ...bound(engine),
      command: async (sql) => {
        if (!sql.startsWith('ALTER') || failed.has(sql)) return engine.command(sql);
        failed.add(sql);
        throw commandFailure({ clickhouseCode: 517 });
      },
    };
    try {
      await migrate(altered, { database: 'altered' }, (topology) => migrations(topology).slice(0, 3));
      expect(failed.size).toBeGreaterThan(0);
      const left = await missingMigrations(engine, { database: 'altered' });
      expect(left).toEqual(
        migrations({ database: 'altered' })
          .slice(3)
          .map(({ version }) => version),
      );
    } finally {
      await altered.close();
      rmSync(dir, { recursive: true, force: true });
    }
  });

  it.each(['a b', '', '1a', 'a;b', "a'", 'a`', 'a.b'])('are never created in %j', (name) => {
    expect(() => checkTopology({ database: name })).toThrow('plain identifier');
    expect(() => checkTopology({ database: 'assay', cluster: name })).toThrow('plain identifier');
  });
});
