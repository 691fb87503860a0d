// cspell:ignore ldflags nometa
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../stack/free-port.js';
import { EngineProcess } from '../engine-process.js';
import { GO_BUILD } from '../go-build.js';

const SOURCES = ['go.mod', 'go.sum'];
const PROGRAM = 'github.com/versity/versitygw/cmd/versitygw';
const START_WITHIN_MS = 60_000;

export const ACCESS_KEY_ID = 'access-key-of-the-tests';
export const SECRET_ACCESS_KEY = 'secret-key-of-the-tests';

/** A running server with the S3 protocol, whose objects are files. */
export interface VersityGateway {
  readonly endpoint: string;
  /** Folder of the bucket. */
  readonly folder: string;
  readonly bucket: string;
  /** Ends the process and removes its data. Idempotent. */
  stop(): Promise<void>;
}

let built: Promise<string> | undefined;

/** Returns the path of the server. The first call on a machine builds it, in about a minute, into a cache in the home folder. */
export function builtVersityGateway(): Promise<string> {
  return (built ??= build());
}

/** Starts the server with an empty bucket. @param knowsConditions whether it obeys If-None-Match */
export async function startVersityGateway({ knowsConditions = true } = {}): Promise<VersityGateway> {
  const file = await builtVersityGateway();
  const dir = mkdtempSync(join(tmpdir(), 'assay-versitygw-'));
  const [bucket, port] = ['assay-exports', await freePort()];
  const [objects, metadata] = [join(dir, 'objects'), join(dir, 'metadata')];
  for (const folder of [join(objects, bucket), metadata]) mkdirSync(folder, { recursive: true });
  // The file system of the tests may have no extended attributes; without metadata the server has no entity tags to compare.
  const storage = knowsConditions ? ['--sidecar', metadata] : ['--nometa'];
  const endpoint = `http://127.0.0.1:${port}`;
  const server = await EngineProcess.start({
    ...{ name: 'versitygw', file, startWithinMs: START_WITHIN_MS },
    args: [
      ...['--access', ACCESS_KEY_ID, '--secret', SECRET_ACCESS_KEY],
      ...['--port', `127.0.0.1:${port}`, '--quiet', 'posix', ...storage, objects],
    ],
    isReady: () =>
      fetch(endpoint).then(
        () => true,
        () => false,
      ),
  });
  return {
    ...{ endpoint, bucket, folder: join(objects, bucket) },
    stop: async () => {
      await server.end('SIGKILL');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function build(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of SOURCES) hash.update(readFileSync(join(__dirname, name)));
  const folder = join(homedir(), '.cache', 'assay-engines', `versitygw-${hash.digest('hex').slice(0, 16)}`);
  const binary = join(folder, 'versitygw');
  if (existsSync(binary)) return binary;
  const sources = join(folder, `building-${process.pid}`);
  rmSync(sources, { recursive: true, force: true });
  mkdirSync(sources, { recursive: true });
  for (const name of SOURCES) copyFileSync(join(__dirname, name), join(sources, name));
  const env = { ...process.env, ...GO_BUILD };
  const args = ['build', '-ldflags=-s -w', '-o', 'versitygw', PROGRAM];
  await promisify(execFile)('go', args, { cwd: sources, env, maxBuffer: 16 * 1024 * 1024 });
  renameSync(join(sources, 'versitygw'), binary);
  rmSync(sources, { recursive: true });
  return binary;
}
