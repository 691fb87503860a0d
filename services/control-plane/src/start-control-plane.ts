import type { DocumentStore } from '@assay/document-store';
import { openMongoDocumentStore } from '@assay/document-store/mongodb';
import {
  openConsole,
  sharedTokenDataPlane,
  startService,
  type IdentifyDataPlane,
  type ServiceApi,
  type ServiceContext,
} from '@assay/http';
import { createSyntaxChecker } from '@assay/python-runner';
import { createTemplateWorkers } from '@assay/templates';
import {
  connectionTls,
  explainRefusal,
  MONGODB,
  refuseFaults,
  type ConfigOf,
  type Logger,
  type RunningService,
} from '@assay/runtime';
import { composeControlPlane } from './compose.js';
import { ingestLimitsFrom, type controlPlaneServiceSettings } from './config.js';
import { createInternalApi } from './http/create-internal-api.js';
import { withInternalApi } from './http/with-internal-api.js';
import { openIdentityProvider } from './identity/people/open-identity-provider.js';
import { prepareFirstKey } from './identity/projects/first-key-notice.js';

type ControlPlaneConfig = ConfigOf<typeof controlPlaneServiceSettings>;

/** Runs the control plane as a separate process, on MongoDB. */
export function startControlPlane(
  config: ControlPlaneConfig,
  print: (line: string) => void,
): Promise<RunningService> {
  return startService({ name: 'control-plane', config, print }, (context) =>
    openControlPlane(config, context),
  );
}

async function openControlPlane(
  config: ControlPlaneConfig,
  { logger, metrics, shutdown }: ServiceContext,
): Promise<ServiceApi> {
  const identityProvider = openIdentityProvider(config, { logger, metrics });
  const documents = shutdown.add('document store', await openDocuments(config, logger), (store) =>
    store.close(),
  );
  await explainRefusal(MONGODB, () => documents.check());
  refuseFaults(await documents.inspect());
  const pythonSyntax = shutdown.add('syntax check', createSyntaxChecker(), (checker) =>
    Promise.resolve(checker.close()),
  );
  const templates = shutdown.add('template workers', createTemplateWorkers({ logger }), (open) =>
    open.close(),
  );
  const { parts, announce } = await explainRefusal(MONGODB, async () => {
    const parts = await composeControlPlane({
      documents,
      pythonSyntax,
      templates,
      pepper: config.pepper,
      auditRetentionDays: config.auditRetentionDays,
      retentionDays: config.eventRetentionDays,
      projectLimits: ingestLimitsFrom(config),
      alertIntervalMs: config.alertIntervalSeconds * 1_000,
      identityProvider,
      now: () => new Date(),
      logger,
    });
    const announce = await prepareFirstKey(parts.ensureFirstProject, config.project, config.apiKey);
    return { parts, announce };
  });
  const { controlPlane } = parts;
  shutdown.add('maintenance', parts.maintenance, (maintenance) => maintenance.stop()).start();
  const identifyDataPlane = eitherOf(sharedTokenDataPlane(config.controlPlaneToken), parts.identifyDataPlane);
  const internalApi = createInternalApi({ controlPlane, identifyDataPlane, logger });
  return {
    bindings: [...parts.routes, ...parts.directRoutes],
    authenticator: controlPlane,
    adminToken: config.adminToken,
    identifyDataPlane,
    wrap: (api) => withInternalApi(api, internalApi),
    servesOpenApi: true,
    console: openConsole(config, { about: aboutConsole(config), people: controlPlane }),
    checks: { documents: () => documents.check() },
    inspections: { 'document store': () => documents.inspect() },
    announce,
  };
}

/** The control plane has no values, whatever the data plane forwards. */
function aboutConsole({ consoleDataPlaneUrl }: ControlPlaneConfig) {
  return {
    plane: 'control-plane',
    redact_values: true,
    data_plane_url: consoleDataPlaneUrl ?? null,
  } as const;
}

function openDocuments(config: ControlPlaneConfig, logger: Logger): Promise<DocumentStore> {
  const files = { ca: config.mongodbCaFile, cert: config.mongodbCertFile, key: config.mongodbKeyFile };
  return openMongoDocumentStore({
    url: config.mongodbUrl,
    database: config.mongodbDatabase,
    tls: connectionTls(files, logger)?.latest(),
  });
}

function eitherOf(first: IdentifyDataPlane, second: IdentifyDataPlane): IdentifyDataPlane {
  return async (token) => (await first(token)) ?? second(token);
}
