import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testProgramArgs } from '../processes/test-program.js';
import { freePort } from './free-port.js';
import { startRecordingProxy, type RecordingProxy } from './recording-proxy.js';
import { ServiceProcess } from './service-process.js';
import { CONTROL_PLANE_TOKEN } from './start-split.js';

/** A control plane and a data plane as two processes on embedded stores, with a recording proxy between them. */
export interface EmbeddedSplit {
  readonly baseUrl: string;
  /** Address of OTLP over gRPC, such as `127.0.0.1:4317`. */
  readonly grpcAddress: string;
  readonly apiKey: string;
  readonly adminToken: string;
  readonly controlPlaneUrl: string;
  readonly dataPlaneAdminUrl: string;
  readonly controlPlaneAdminUrl: string;
  /** Folder of the logs (`<service>.log`), and of the documents (`control-plane/documents`). */
  readonly dir: string;
  readonly proxy: RecordingProxy;
  /** True when both processes exited with 0. */
  stop(): Promise<boolean>;
}

const ADMIN_TOKEN = 'admin-token-of-the-test-stack';
const API_KEY = 'first-key-of-the-split-test-stack';

export async function startEmbeddedSplit(
  dataPlane: Readonly<Record<string, string>>,
  controlPlane: Readonly<Record<string, string>> = {},
): Promise<EmbeddedSplit> {
  const dir = mkdtempSync(join(tmpdir(), 'assay-embedded-split-'));
  const startOne = async (name: string, port: number, environment: Readonly<Record<string, string>>) => {
    const dataDir = join(dir, name);
    mkdirSync(dataDir);
    const ports = { ASSAY_PORT: String(port), ASSAY_ADMIN_PORT: String(await freePort()) };
    const common = { ...ports, ASSAY_DATA_DIR: dataDir, ASSAY_ADMIN_TOKEN: ADMIN_TOKEN, CONTROL_PLANE_TOKEN };
    return ServiceProcess.start({
      name,
      args: testProgramArgs(`harness/embedded-split/${name}.ts`),
      environment: { ...common, ...environment },
      logDir: dir,
    });
  };
  const port = await freePort();
  const proxy = await startRecordingProxy(`127.0.0.1:${port}`);
  const control = await startOne('control-plane', port, {
    ...{ ASSAY_API_KEY: API_KEY, LOG_LEVEL: 'debug' },
    ...controlPlane,
  });
  const grpcPort = String(await freePort());
  const data = await startOne('data-plane', await freePort(), {
    CONTROL_PLANE_URL: `http://${proxy.address}`,
    ASSAY_OTLP_GRPC_PORT: grpcPort,
    LOG_LEVEL: 'debug',
    ...dataPlane,
  });
  return {
    baseUrl: data.baseUrl,
    grpcAddress: `127.0.0.1:${grpcPort}`,
    apiKey: API_KEY,
    adminToken: ADMIN_TOKEN,
    controlPlaneUrl: control.baseUrl,
    dataPlaneAdminUrl: data.adminUrl,
    controlPlaneAdminUrl: control.adminUrl,
    dir,
    proxy,
    stop: async () => {
      const codes = [await data.end('SIGTERM'), await control.end('SIGTERM')];
      await proxy.close();
      const isClean = codes.every((code) => code === 0);
      if (isClean) await rm(dir, { recursive: true, force: true });
      return isClean;
    },
  };
}
