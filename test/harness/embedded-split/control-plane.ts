// The control plane on the embedded document store, as a process of its own with the internal API. For tests of what data planes send to it.
import { join } from 'node:path';
import {
  composeControlPlane,
  createInternalApi,
  identityProviderSettings,
  openIdentityProvider,
  prepareFirstKey,
  withInternalApi,
} from '@assay/control-plane';
import { openEmbeddedDocumentStore } from '@assay/document-store';
import { openConsole, sharedTokenDataPlane, startService } from '@assay/http';
import {
  adminSettings,
  bodySettings,
  consoleSettings,
  processSettings,
  required,
  runService,
  secret,
  text,
  type ConfigOf,
  type RunningService,
} from '@assay/runtime';
import { createTemplateWorkers } from '@assay/templates';

const settings = {
  ...processSettings,
  ...bodySettings,
  ...adminSettings,
  ...consoleSettings,
  ...identityProviderSettings,
  dataDir: text('ASSAY_DATA_DIR', { default: './control-plane', description: 'Folder of the documents' }),
  token: required(secret('CONTROL_PLANE_TOKEN', { description: 'Token of the data plane' })),
  dataPlaneUrl: text('CONSOLE_DATA_PLANE_URL', { description: 'Console of the data plane' }),
  apiKey: required(secret('ASSAY_API_KEY', { description: 'First key' })),
};

function start(config: ConfigOf<typeof settings>, print: (line: string) => void): Promise<RunningService> {
  return startService({ name: 'control-plane', config, print }, async ({ logger, metrics, shutdown }) => {
    const opened = await openEmbeddedDocumentStore({ dir: join(config.dataDir, 'documents') });
    const documents = shutdown.add('document store', opened, (store) => store.close());
    const templates = shutdown.add('template workers', createTemplateWorkers({ logger }), (open) =>
      open.close(),
    );
    const now = () => new Date();
    const identityProvider = openIdentityProvider(config, { logger, metrics });
    const parts = await composeControlPlane({
      ...{ documents, templates, pepper: 'p'.repeat(32), now, logger, identityProvider },
    });
    const { controlPlane } = parts;
    const notices = await prepareFirstKey(parts.ensureFirstProject, 'default', config.apiKey);
    const identifyDataPlane = sharedTokenDataPlane(config.token);
    const internalApi = createInternalApi({ controlPlane, identifyDataPlane, logger });
    return {
      bindings: [...parts.routes, ...parts.directRoutes],
      authenticator: controlPlane,
      adminToken: config.adminToken,
      identifyDataPlane,
      servesOpenApi: true,
      console: openConsole(config, {
        people: controlPlane,
        about: { plane: 'control-plane', redact_values: true, data_plane_url: config.dataPlaneUrl ?? null },
      }),
      wrap: (api) => withInternalApi(api, internalApi),
      checks: { documents: () => documents.check() },
      notices,
    };
  });
}

void runService(settings, start);
