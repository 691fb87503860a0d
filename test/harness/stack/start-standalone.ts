import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { repository } from './repository.js';
import { ServiceProcess } from './service-process.js';
import type { Stack } from './stack.js';

const ADMIN_TOKEN = 'admin-token-of-the-test-stack';
/** Tests start many products concurrently, which cannot share the default port of gRPC. */
export const NO_GRPC = { ASSAY_OTLP_GRPC_PORT: '0' };

/**
 * Starts the standalone process on an empty folder and fixed free ports, so that a restart keeps its address.
 * @param root built repository of the product, this one by default
 * @param args for `node` in place of the program of the product, see {@link testProgramArgs}
 */
export async function startStandalone(
  environment: Readonly<Record<string, string>> = {},
  root = repository,
  args?: readonly string[],
): Promise<Stack> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-standalone-'));
  const [port, adminPort] = [await freePort(), await freePort()];
  const spec = {
    name: 'standalone',
    entry: join(root, 'deploy/standalone/dist/main.js'),
    args,
    logDir: dir,
    environment: {
      ASSAY_PORT: String(port),
      ASSAY_ADMIN_PORT: String(adminPort),
      ASSAY_DATA_DIR: join(dir, 'data'),
      ASSAY_ADMIN_TOKEN: ADMIN_TOKEN,
      // An older product does not know the setting.
      ...(root === repository ? NO_GRPC : {}),
      ...environment,
    },
  };
  let running = await ServiceProcess.start(spec);
  const apiKey = environment.ASSAY_API_KEY ?? running.printedKey;
  if (!apiKey) throw new Error('the first start printed no key');
  return {
    kind: 'standalone',
    baseUrl: running.baseUrl,
    apiKey,
    adminToken: ADMIN_TOKEN,
    dir,
    services: ['standalone'],
    urlOf: () => running.baseUrl,
    adminUrl: () => running.adminUrl,
    pid: () => running.pid,
    kill: async () => void (await running.end('SIGKILL')),
    terminate: () => running.end('SIGTERM'),
    start: async () => {
      running = await ServiceProcess.start(spec);
    },
    stop: async () => {
      const code = await running.end('SIGTERM');
      if (code === 0) await rm(dir, { recursive: true, force: true });
      return code === 0;
    },
  };
}
