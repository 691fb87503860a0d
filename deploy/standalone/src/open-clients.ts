import type { ControlPlaneParts } from '@assay/control-plane';
import { agentBindings } from '@assay/data-plane';
import { openConsole, type ServiceApi } from '@assay/http';
import { readOrCreateSecret, type ConfigOf, type Logger } from '@assay/runtime';
import type { standaloneSettings } from './config.js';

export interface ClientParts extends Pick<ControlPlaneParts, 'consoleLogin' | 'controlPlane'> {
  /** Secret of the sessions of the console, in the data folder. */
  readonly secretFile: string;
  readonly logger: Logger;
}

/** Opens the console of this process, which prints a link that signs in, and the tools of agents. */
export function openClients(
  config: ConfigOf<typeof standaloneSettings>,
  { consoleLogin, controlPlane, secretFile, logger }: ClientParts,
): Pick<ServiceApi, 'console' | 'bindingsOnApi'> {
  return {
    console: openConsole(config, {
      about: { plane: 'standalone', redact_values: config.redactValues, data_plane_url: null },
      people: controlPlane,
      firstLogin: () => consoleLogin(config.project),
      ownSecret: () => readOrCreateSecret(secretFile),
    }),
    bindingsOnApi: agentBindings(config, logger),
  };
}
