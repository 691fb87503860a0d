import type { ControlPlane } from '@assay/control-plane-client';
import type { EventLog } from '@assay/event-log';
import type { ServiceContext } from '@assay/http';
import { composeIngestion, type Prices } from '@assay/ingestion';
import type { StageCounts } from '@assay/log-readers';
import type { ConfigOf } from '@assay/runtime';
import type { standaloneSettings } from './config.js';

export interface IngestionParts {
  readonly config: ConfigOf<typeof standaloneSettings>;
  readonly log: EventLog;
  readonly controlPlane: ControlPlane;
  readonly counts: StageCounts;
  readonly prices: Prices;
}

/** Starts ingestion in this process. */
export function openIngestion(
  { config, log, controlPlane, counts, prices }: IngestionParts,
  { logger, metrics, shutdown }: ServiceContext,
): ReturnType<typeof composeIngestion> {
  const ingestion = composeIngestion({
    log,
    controlPlane,
    now: Date.now,
    prices,
    metrics,
    maxStoreLagMs: config.maxStoreLagSeconds * 1_000,
    onAccepted: (projectId, records) => counts.add('accepted', projectId, records),
    warn: (phrase) => logger.warn(phrase),
  });
  shutdown.add('admission', ingestion.admission, (admission) => admission.stop());
  return ingestion;
}
