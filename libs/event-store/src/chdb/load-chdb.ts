import { createRequire } from 'node:module';
import { StartError } from '@assay/runtime';
import type * as Chdb from 'chdb';
import type * as Connection from 'chdb/connection';

/** Exit code of a process that does not fit the machine: EX_CONFIG. */
const EXIT_CONFIG = 78;
const INSTEAD =
  'use Linux x64 with glibc, or the separate services with a ClickHouse server (docs/kubernetes.md)';

const load = createRequire(__filename);

/**
 * Loads chDB. Its native library is a package of its own for each platform, which may be absent, so that nothing loads it before a store is
 * opened.
 * @throws StartError (exit code 78) where the library is absent or cannot be loaded
 */
export function loadChdb(): typeof Chdb & typeof Connection {
  try {
    return {
      ...(load('chdb') as typeof Chdb),
      ...(load('chdb/connection') as typeof Connection),
    };
  } catch (cause) {
    const platform = `${process.platform}-${process.arch}`;
    const detail = isAbsent(cause) ? 'is not installed' : 'cannot be loaded';
    throw new StartError(
      `the single process does not run on ${platform}, because the native library of chDB, its event store, ${detail}: ${INSTEAD}`,
      { cause, exitCode: EXIT_CONFIG },
    );
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'CHDB_PLATFORM';
}
