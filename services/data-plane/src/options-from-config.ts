import type {
  alertSettings,
  ConfigOf,
  objectExportSettings,
  projectRemovalSettings,
  purgeSettings,
} from '@assay/runtime';
import { alertReceivers } from './alerts/mail/mail-options.js';
import { objectExportRules } from './object-export/object-export-options.js';
import { purgeRules } from './purge/purge-rules.js';

type SharedConfig = ConfigOf<
  typeof alertSettings & typeof objectExportSettings & typeof projectRemovalSettings & typeof purgeSettings
> & { readonly retentionHours: number };

/** Returns the options that a data plane has from its settings, alone or in the single process. */
export function optionsFromConfig(config: SharedConfig) {
  return {
    deletedProjectsEveryMs: config.deletedProjectCheckSeconds * 1_000,
    expiredEventsEveryMs: config.expiredEventCheckSeconds * 1_000,
    purge: purgeRules(config),
    alertReceivers: alertReceivers(config),
    objectExport: objectExportRules(config),
    logRetentionMs: config.retentionHours * 3_600_000,
  };
}
