import { openKafkaEventLog } from '@assay/event-log/kafka';
import { connectControlPlane, startService, type ServiceApi, type ServiceContext } from '@assay/http';
import { openPrices } from '@assay/otlp';
import { explainRefusal, KAFKA, kafkaOptions, type ConfigOf, type RunningService } from '@assay/runtime';
import { composeIngestion } from './compose.js';
import { largestEventOf } from './shared/largest-event.js';
import type { ingestionSettings } from './config.js';

type IngestionConfig = ConfigOf<typeof ingestionSettings>;

/** Runs ingestion as a separate process, on Kafka. */
export function startIngestion(
  config: IngestionConfig,
  print: (line: string) => void,
): Promise<RunningService> {
  return startService({ name: 'ingestion', config, print }, (context) => openIngestion(config, context));
}

async function openIngestion(config: IngestionConfig, context: ServiceContext): Promise<ServiceApi> {
  const { logger, metrics, shutdown } = context;
  const prices = openPrices(config.priceTableFile, context);
  // Ingestion only appends: it has no consumer that could crash.
  const onCrash = () => undefined;
  const log = shutdown.add(
    'event log',
    await explainRefusal(KAFKA, () =>
      openKafkaEventLog({ ...kafkaOptions(config, logger), clientId: 'assay-ingestion', logger, onCrash }),
    ),
    (open) => open.close(),
  );
  const { controlPlane, authenticator, inspect } = await connectControlPlane(config, context);
  const warn = (phrase: string) => logger.warn(phrase);
  const { routes, admission, onFailure } = composeIngestion({
    log,
    controlPlane,
    now: Date.now,
    prices,
    metrics,
    maxStoreLagMs: config.maxStoreLagSeconds * 1_000,
    maxEventBytes: largestEventOf(config.maxEventBytes),
    warn,
  });
  shutdown.add('admission', admission, (running) => running.stop());
  return {
    bindings: routes,
    onFailure,
    authenticator,
    internalToken: config.ingestionToken ?? config.controlPlaneToken,
    checks: { log: () => log.check() },
    inspections: { log: () => log.inspect(), 'control plane': inspect },
  };
}
