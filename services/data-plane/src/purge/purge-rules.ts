import type { ConfigOf, purgeSettings } from '@assay/runtime';
import type { PurgeRules } from './start-purge.js';

/** Returns the rules that the settings of a process name. */
export function purgeRules(config: ConfigOf<typeof purgeSettings>): PurgeRules {
  return {
    withinMs: config.purgeDeletedHours * 3_600_000,
    maxBytesPerHour: config.purgeMaxBytesPerHour,
    tombstoneMs: config.purgeTombstoneDays * 86_400_000,
  };
}
