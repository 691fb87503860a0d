import { relative } from 'node:path';
import { repository } from '../stack/repository.js';

/** Environment variables with the addresses of the engines. */
export const ENGINE_VARIABLES = ['KAFKA_BROKERS', 'CLICKHOUSE_URL', 'MONGODB_URL'] as const;
export type EngineVariable = (typeof ENGINE_VARIABLES)[number];

/** Folders whose suites need fewer engines than all, because they test one of them or start their own. */
const FEWER: Readonly<Record<string, readonly EngineVariable[]>> = {
  'libs/document-store/': ['MONGODB_URL'],
  'libs/event-log/': ['KAFKA_BROKERS'],
  'libs/event-store/': ['CLICKHOUSE_URL'],
  'services/control-plane/': ['MONGODB_URL'],
  'test/clickhouse/': [],
  'test/compose/': [],
  'test/e2e/object-export': [],
  'test/harness/engines/': [],
  'test/instrumentations/': [],
};

/** Returns the variables of the engines that one of the suites needs. @param paths of the suites */
export function enginesOfSuites(paths: readonly string[]): EngineVariable[] {
  const needed = new Set(paths.flatMap(enginesOf));
  return ENGINE_VARIABLES.filter((variable) => needed.has(variable));
}

function enginesOf(path: string): readonly EngineVariable[] {
  const suite = relative(repository, path);
  const [, engines] = Object.entries(FEWER).find(([folder]) => suite.startsWith(folder)) ?? [];
  return engines ?? ENGINE_VARIABLES;
}
