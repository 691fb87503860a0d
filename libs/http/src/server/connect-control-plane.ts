import {
  createAuthenticator,
  createHttpControlPlane,
  inspectControlPlane,
  type Authenticator,
  type ControlPlane,
} from '@assay/control-plane-client';
import {
  connectionTls,
  createTlsAgent,
  watchDiskReserve,
  type ConfigOf,
  type controlPlaneSettings,
  type diskSettings,
  type Finding,
  type Logger,
  type TlsFiles,
} from '@assay/runtime';
import type { ServiceContext } from './start-service.js';

export type ControlPlaneConfig = ConfigOf<typeof controlPlaneSettings & typeof diskSettings> & {
  /** Folder of the key snapshot. */
  readonly dataDir: string;
};

export interface ControlPlaneConnection {
  readonly controlPlane: ControlPlane;
  /** Authenticates API keys, also from the snapshot while the control plane is unreachable. */
  readonly authenticator: Authenticator;
  /** Inspects the clock of the control plane. Rejects when it cannot be reached. */
  readonly inspect: () => Promise<readonly Finding[]>;
}

const KEY_CHECK_TIMEOUT_MS = 3_000;
/** Reading the metrics or runs of a project takes longer on a busy machine than looking up a key. */
const CALL_TIMEOUT_MS = 10_000;

/**
 * Connects a service to the control plane over HTTP. The snapshot of its keys is not written while the disk is full.
 * @param onForeignProjects called with projects whose events the control plane rejects
 */
export async function connectControlPlane(
  config: ControlPlaneConfig,
  { logger, metrics, shutdown }: ServiceContext,
  onForeignProjects?: (projectIds: readonly string[]) => void,
): Promise<ControlPlaneConnection> {
  const tls = controlPlaneTls(config, logger);
  const address = { url: config.controlPlaneUrl, agent: tls && createTlsAgent(tls) };
  const controlPlane = createHttpControlPlane({
    ...address,
    timeoutMs: CALL_TIMEOUT_MS,
    admissionTimeoutMs: KEY_CHECK_TIMEOUT_MS,
    token: config.controlPlaneToken,
    projectIds: config.projectIds,
    onForeignProjects,
  });
  const reserve = shutdown.add(
    'disk reserve',
    await watchDiskReserve({ dir: config.dataDir, minFreeBytes: config.minFreeDisk, logger, metrics }),
    (watch) => watch.close(),
  );
  const authenticator = createAuthenticator({
    controlPlane,
    snapshotDir: config.dataDir,
    mayWriteSnapshot: () => !reserve.isExhausted,
    now: () => new Date(),
    warn: (phrase) => logger.warn(phrase),
  });
  shutdown.add('key snapshot', authenticator, (open) => open.close());
  return {
    controlPlane,
    authenticator,
    inspect: () => inspectControlPlane({ ...address, timeoutMs: KEY_CHECK_TIMEOUT_MS }),
  };
}

/** Returns the files of TLS connections to the control plane; undefined when none is set. */
export function controlPlaneTls(
  config: ConfigOf<typeof controlPlaneSettings>,
  logger: Pick<Logger, 'warn'>,
): TlsFiles | undefined {
  const { controlPlaneCaFile: ca, controlPlaneCertFile: cert, controlPlaneKeyFile: key } = config;
  return connectionTls({ ca, cert, key }, logger);
}
