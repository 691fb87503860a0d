import type { Agent } from 'node:https';
import type { EventStore } from '../event-store.js';
import { DEFAULT_QUERY_LIMITS, type QueryLimits } from '../sql/engine/engine.js';
import { RESERVED_QUERIES, type QueryShares } from '../sql/query-queue.js';
import { SqlEventStore } from '../sql/sql-event-store.js';
import { ClickHouseEngine } from './clickhouse-engine.js';
import { inspectAccess, type StoreUse } from './inspect-access.js';
import { concurrentStatements, inspectLimits } from './inspect-limits.js';
import { inspectTopology } from './inspect-topology.js';

export interface ClickHouseEventStoreOptions {
  /** Such as `http://clickhouse:8123`. */
  readonly url: string;
  readonly username?: string;
  readonly password?: string;
  /** `assay` when absent. */
  readonly database?: string;
  /** Makes the connections, with up to this number of sockets; those of the client when absent. */
  readonly makeAgent?: (maxSockets: number) => Agent;
  /** Name of the cluster that the tables are replicated and sharded over; absent: one server. */
  readonly cluster?: string;
  /** Number of shards of the cluster, which never changes; needed for more than one. */
  readonly shards?: number;
  /** Milliseconds that one request may take; 30,000 when absent. */
  readonly requestTimeoutMs?: number;
  /** Connections to the server for the store itself at most; 10 when absent. */
  readonly maxConnections?: number;
  readonly limits?: QueryLimits;
  readonly shares?: QueryShares;
  /** See `SqlEventStoreOptions`. */
  readonly storeMediaOnce?: boolean;
  readonly unusedMediaSeconds?: number;
  /** `off`: the store remembers nothing of its reads. Tests and benches compare with it. */
  readonly hints?: 'off';
  /** What the process does, for the inspection of its rights; `write` when absent. */
  readonly use?: StoreUse;
}

/** A server writes both tables within one insert; other processes insert concurrently. */
const SETTLE_MS = 5_000;
const DEFAULT_SHARES: QueryShares = { concurrency: 10, perProject: 2, maxWaiting: 100 };

/**
 * An event store on a ClickHouse server or cluster, over HTTP. Nothing is sent before the first call.
 * @throws AppError `VALIDATION_ERROR` when the database or the cluster is no plain identifier
 */
export function createClickHouseEventStore(options: ClickHouseEventStoreOptions): EventStore {
  const {
    database = 'assay',
    cluster,
    shards: shardCount,
    limits = DEFAULT_QUERY_LIMITS,
    shares = DEFAULT_SHARES,
  } = options;
  const { use = 'write', maxConnections = 10, hints, storeMediaOnce, unusedMediaSeconds } = options;
  const maxQueryConnections = shares.concurrency + RESERVED_QUERIES;
  const engine = new ClickHouseEngine({
    requestTimeoutMs: 30_000,
    ...options,
    maxConnections,
    limits,
    maxQueryConnections,
    database,
    replicated: cluster !== undefined,
  });
  const topology = { database, cluster, shards: shardCount };
  const inspect = async () => [
    await inspectTopology(engine, topology),
    await inspectAccess(engine, { database, cluster, use }),
    await inspectLimits(engine, concurrentStatements(maxConnections, maxQueryConnections)),
  ];
  return new SqlEventStore(engine, topology, {
    ...{ limits, shares, settleMs: SETTLE_MS, inspect, hints },
    ...{ storeMediaOnce, unusedMediaSeconds },
  });
}
