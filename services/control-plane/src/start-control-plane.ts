import { createInternalApi, sharedTokenDataPlane, type IdentifyDataPlane } from '@assay/control-plane-client';
import { openMongoDocumentStore } from '@assay/document-store';
import { ByteBudget, serve } from '@assay/http';
import {
  startWithRetry,
  type ShutdownStack,
  createLogger,
  createMetrics,
  type ConfigOf,
  type Logger,
  type RunOptions,
  type Running,
} from '@assay/runtime';
import { composeControlPlane } from './compose.js';
import type { controlPlaneServiceSettings } from './config.js';
import { withInternalApi } from './http/with-internal-api.js';

type ControlPlaneConfig = ConfigOf<typeof controlPlaneServiceSettings>;

const SHUTDOWN_TIMEOUT_MS = 30_000;
const DRAIN_TIMEOUT_MS = 15_000;
const VERSION = '0.1.0';

/** Runs the control plane as a separate process, on MongoDB. */
export function startControlPlane(
  config: ControlPlaneConfig,
  print: (line: string) => void,
): Promise<Running & RunOptions> {
  const logger = createLogger({ level: config.logLevel, service: 'control-plane' });
  return startWithRetry({ logger, closeWithinMs: SHUTDOWN_TIMEOUT_MS }, (closing) =>
    start(config, closing, logger, print),
  );
}

async function start(
  config: ControlPlaneConfig,
  closing: ShutdownStack,
  logger: Logger,
  print: (line: string) => void,
): Promise<void> {
  const opened = await openMongoDocumentStore({ url: config.mongodbUrl, database: config.mongodbDatabase });
  const documents = closing.add('document store', opened, (store) => store.close());
  const parts = await composeControlPlane({
    documents,
    pepper: config.pepper,
    auditRetentionDays: config.auditRetentionDays,
    now: () => new Date(),
    logger,
  });
  const { controlPlane } = parts;
  const { apiKey } = await parts.ensureFirstProject(config.project, config.apiKey);
  closing.add('maintenance', parts.maintenance, (maintenance) => maintenance.stop()).start();
  const identifyDataPlane = eitherOf(sharedTokenDataPlane(config.controlPlaneToken), parts.identifyDataPlane);
  const internalApi = createInternalApi({ controlPlane, identify: identifyDataPlane });
  const serving = await serve({
    host: config.host,
    port: config.port,
    adminPort: config.adminPort,
    bindings: parts.routes,
    authenticator: controlPlane,
    adminToken: config.adminToken,
    identifyDataPlane,
    trustedProxies: config.trustedProxies,
    wrap: (api) => withInternalApi(api, internalApi),
    budget: new ByteBudget({ maxBytes: config.maxBodyBytesInFlight }),
    openApi: { version: VERSION },
    logger,
    metrics: createMetrics({ processMetrics: true }),
    checks: { documents: () => documents.check() },
  });
  closing.add('server', serving, (open) => open.close(DRAIN_TIMEOUT_MS));
  if (apiKey) print(`The key of project "${config.project}", shown this once:\n\n  ${apiKey}\n`);
  print(`control-plane listens on ${serving.baseUrl} (admin ${serving.adminUrl})`);
}

function eitherOf(first: IdentifyDataPlane, second: IdentifyDataPlane): IdentifyDataPlane {
  return async (token) => (await first(token)) ?? second(token);
}
