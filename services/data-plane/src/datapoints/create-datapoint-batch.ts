import { createHash } from 'node:crypto';
import {
  formatBytes,
  MAX_RESOURCE_BYTES,
  type createDatapointBatch,
  type ResponseOf,
} from '@assay/contracts';
import type { DatapointTarget, EventDatapoint } from '@assay/control-plane-client';
import {
  acceptEventMapping,
  datapointOfEvent,
  redactEvent,
  type Caller,
  type DatapointMapping,
  type Event,
  type EventMapping,
} from '@assay/domain';
import { AppError, isRetryable, notFound, validationError } from '@assay/errors';
import type { Operation, RequestContext } from '@assay/http';
import type { Steps } from '@assay/runtime';
import { actingKey } from '../shared/acting-key.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import { selectedEvents } from './selected-events.js';
import { acceptSelection, type Selection } from './selection.js';

type BatchResponse = ResponseOf<typeof createDatapointBatch>;
type Failure = NonNullable<BatchResponse['failed']>[number];

const NO_SUCH_EVENT = 'there is no event with this id';

/** How one request turns events into datapoints. */
interface DatapointPlan {
  readonly target: DatapointTarget;
  readonly mapping: EventMapping | undefined;
  /** Deterministic: the same event gives the same id. */
  readonly idOf: (eventId: string) => string;
}

/**
 * Creates a datapoint from each selected event, after redaction, and adds them to a dataset. Ids are derived
 * from the event, the mapping and the dataset, so repeating the request creates the missing datapoints and
 * changes nothing else. The response lists events for which no datapoint can be created.
 * @throws AppError `VALIDATION_ERROR`, `NOT_FOUND` for the dataset or when no selected event exists,
 * `UNAVAILABLE`
 */
export function makeCreateDatapointBatch(deps: DataPlaneDeps): Operation<typeof createDatapointBatch> {
  return ({ body }, context) => {
    const { caller, waitMs } = context;
    const mapping = acceptEventMapping(body.mapping ?? {});
    const selection = acceptSelection(body, deps.now());
    const target = { projectId: caller.projectId, datasetId: body.dataset_id, by: actingKey(context) };
    const isRedacted = deps.redaction.rules.size > 0;
    const plan = {
      target,
      mapping,
      idOf: (id: string) => datapointId(id, target, body.mapping ?? {}, isRedacted),
    };
    return respondAfterWait(deps, waitMs, async () => {
      const response = await createAll(deps, plan, selection, context);
      return isRedacted ? { ...response, redacted: true } : response;
    });
  };
}

async function createAll(
  deps: DataPlaneDeps,
  plan: DatapointPlan,
  selection: Selection,
  { signal, runInTurns }: Pick<RequestContext<Caller>, 'signal' | 'runInTurns'>,
): Promise<BatchResponse> {
  const { projectId } = plan.target;
  const insertedIds: string[] = [];
  const failed: Failure[] = [];
  try {
    const source = { events: deps.store.events, projectId, signal };
    await insert(deps, plan.target, []);
    for await (const { events, missing } of selectedEvents(source, selection)) {
      const { datapoints, failures } = await runInTurns(datapointSteps(events, plan, deps));
      if (datapoints.length > 0) await insert(deps, plan.target, datapoints);
      insertedIds.push(...datapoints.map(({ id }) => id));
      failed.push(...failures, ...missing.map((event_id) => ({ event_id, message: NO_SUCH_EVENT })));
    }
  } catch (error) {
    throw insertedIds.length > 0 ? partialFailure(error, insertedIds.length) : error;
  }
  const [first] = failed;
  if (!first) return { inserted: true, insertedIds };
  if (insertedIds.length > 0) return { inserted: true, insertedIds, failed };
  throw failed.every(({ message }) => message === NO_SUCH_EVENT)
    ? notFound('none of the selected events exists')
    : validationError(first.message);
}

async function insert(
  deps: DataPlaneDeps,
  target: DatapointTarget,
  datapoints: readonly EventDatapoint[],
): Promise<void> {
  if (target.datasetId === undefined && datapoints.length === 0) return;
  if (!(await deps.controlPlane.createDatapoints(target, datapoints))) throw notFound('dataset not found');
}

/** Returns an error that says how many datapoints were created before the failure. */
function partialFailure(error: unknown, count: number): AppError {
  const [code, message] =
    error instanceof AppError
      ? [error.code, error.message]
      : (['INTERNAL_ERROR', 'something went wrong'] as const);
  const rest = isRetryable(error) ? ', repeat the request to create the others' : '';
  return new AppError(code, `${message}; ${count} datapoints were created before the failure${rest}`, {
    cause: error,
  });
}

function* datapointSteps(
  events: readonly Event[],
  { mapping, idOf }: DatapointPlan,
  { redaction }: DataPlaneDeps,
): Steps<{ datapoints: EventDatapoint[]; failures: Failure[] }> {
  const datapoints: EventDatapoint[] = [];
  const failures: Failure[] = [];
  for (const event of events) {
    try {
      const datapoint = {
        id: idOf(event.event_id),
        ...datapointOfEvent(redactEvent(event, redaction), mapping),
      };
      checkSize(datapoint);
      datapoints.push(datapoint);
    } catch (error) {
      if (!(error instanceof AppError) || error.retryable) throw error;
      failures.push({ event_id: event.event_id, message: error.message });
    }
    yield;
  }
  return { datapoints, failures };
}

function checkSize({ id: _id, ...content }: EventDatapoint): void {
  const maxBytes = MAX_RESOURCE_BYTES.datapoint;
  if (Buffer.byteLength(JSON.stringify(content)) <= maxBytes) return;
  throw new AppError('PAYLOAD_TOO_LARGE', `a datapoint must not exceed ${formatBytes(maxBytes)} of JSON`);
}

/** Returns 24 hexadecimal digits. The hashed text is a stored format: changing it changes every id. */
function datapointId(
  eventId: string,
  { projectId, datasetId }: DatapointTarget,
  mapping: DatapointMapping,
  isRedacted: boolean,
): string {
  const { inputs = [], history = [], ground_truth = [] } = mapping;
  const name = [
    'datapoint of an event',
    projectId,
    eventId,
    datasetId ?? null,
    inputs,
    history,
    ground_truth,
    isRedacted,
  ];
  return createHash('sha256').update(JSON.stringify(name)).digest('hex').slice(0, 24);
}
