import type { ControlPlaneParts } from '@assay/control-plane';
import { openConsole } from '@assay/http';
import { readOrCreateSecret, type ConfigOf } from '@assay/runtime';
import type { standaloneSettings } from './config.js';

/** Opens the console of this process, which keeps the secret of its sessions in its data folder and prints a link that signs in. */
export function openOwnConsole(
  config: ConfigOf<typeof standaloneSettings>,
  { consoleLogin }: Pick<ControlPlaneParts, 'consoleLogin'>,
  secretFile: string,
): ReturnType<typeof openConsole> {
  return openConsole(config, {
    about: { plane: 'standalone', redact_values: config.redactValues, data_plane_url: null },
    firstLogin: () => consoleLogin(config.project),
    ownSecret: () => readOrCreateSecret(secretFile),
  });
}
