import { createOutboundHttp } from '@assay/judges/outbound';
import type { DataPlaneOptions } from '../options.js';
import type { Rounds } from '../shared/run-rounds.js';
import { startAlerts } from './start-alerts.js';

/** Evaluates alerts until it is stopped, over connections of its own. */
export function openAlerts({ alertAllowedHosts: allowedHosts = [], ...options }: DataPlaneOptions): Rounds {
  const outbound = createOutboundHttp();
  const alerts = startAlerts({ ...options, outbound, allowedHosts });
  return {
    stop: async () => {
      await alerts.stop();
      outbound.close();
    },
  };
}
