import { AppError } from '@assay/errors';
import type { EventLog } from '@assay/event-log';
import { createOutboundHttp } from '@assay/judges/outbound';
import { makeWaitUntilStored } from '@assay/log-readers';
import type { Rounds } from '../shared/run-rounds.js';
import type { AlertReceivers } from './mail/mail-options.js';
import { startAlerts, type AlertsOptions } from './start-alerts.js';

export interface OpenAlertsOptions extends Omit<AlertsOptions, 'outbound' | 'receivers' | 'requireStored'> {
  readonly log: EventLog;
  readonly alertReceivers?: AlertReceivers;
}

const POLL_INTERVAL_MS = 250;
const MAX_WAIT_MS = 5_000;
const PUBLIC_WEBHOOKS: AlertReceivers = { allowedHosts: [] };

/** Evaluates alerts until it is stopped, over connections of its own. */
export function openAlerts({
  alertReceivers: receivers = PUBLIC_WEBHOOKS,
  ...options
}: OpenAlertsOptions): Rounds {
  const outbound = createOutboundHttp();
  const requireStored = makeRequireStored(options);
  const alerts = startAlerts({ ...options, outbound, receivers, requireStored });
  return {
    stop: async () => {
      await alerts.stop();
      outbound.close();
    },
  };
}

/** A window that lacks events is not evaluated: a value of a part of them would be taken for that of all. */
function makeRequireStored({ log, now }: Pick<OpenAlertsOptions, 'log' | 'now'>) {
  const waitUntilStored = makeWaitUntilStored({ log, now, pollIntervalMs: POLL_INTERVAL_MS });
  let storedTo = 0;

  return async function requireStored(time: number): Promise<void> {
    if (time <= storedTo) return;
    const startedAt = now();
    const { current } = await waitUntilStored(log.end(), MAX_WAIT_MS);
    if (!current) throw new AppError('UNAVAILABLE', 'the events of the window are not stored yet');
    storedTo = Math.max(storedTo, startedAt);
  };
}
