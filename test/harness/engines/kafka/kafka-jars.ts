import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../stack/repository.js';

const POM = join(repository, 'test/harness/engines/kafka/pom.xml');

/** Returns the folder with the broker's jars. Maven downloads them once (43 MB) into a cache in the home folder. */
export async function kafkaJars(): Promise<string> {
  const name = `kafka-${createHash('sha256').update(readFileSync(POM)).digest('hex').slice(0, 16)}`;
  const cache = join(homedir(), '.cache', 'assay-engines');
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unfinished = join(cache, `${name}-${process.pid}`);
  const args = ['-q', '-B', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${unfinished}`];
  await promisify(execFile)('mvn', args, { maxBuffer: 16 * 1024 * 1024 });
  moveUnlessThere(unfinished, folder);
  return folder;
}

/** Another process may have fetched the same jars meanwhile. */
function moveUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (cause) {
    rmSync(from, { recursive: true, force: true });
    if (!existsSync(to)) throw cause;
  }
}
