import { createHash } from 'node:crypto';
import type { ResponseOf, createDatapointBatch } from '@assay/contracts';
import type { DatapointTarget, EventDatapoint } from '@assay/control-plane-client';
import {
  acceptEventMapping,
  datapointOfEvent,
  redactEvent,
  type DatapointMapping,
  type Event,
  type EventMapping,
} from '@assay/domain';
import { AppError, isRetryable, notFound, validationError } from '@assay/errors';
import type { Operation } from '@assay/http';
import { actingKey } from '../acting-key.js';
import type { DataPlaneDeps } from '../data-plane-deps.js';
import { respondAfterWait } from '../readers/respond-after-wait.js';
import { chosenEvents } from './chosen-events.js';
import { acceptSelection, type Selection } from './selection.js';

type Made = ResponseOf<typeof createDatapointBatch>;
type Failure = NonNullable<Made['failed']>[number];

/** The largest datapoint, in bytes of JSON: below what a document may have. */
const MAX_DATAPOINT_BYTES = 15_900_000;
const NO_SUCH_EVENT = 'there is no event with this id';

/** How one request makes datapoints. */
interface Making {
  readonly target: DatapointTarget;
  readonly mapping: EventMapping | undefined;
  /** The same event gives the same id. */
  readonly idOf: (eventId: string) => string;
}

/**
 * Makes a datapoint of each chosen event, of what may leave the data plane of it, and adds them to a dataset. Their ids follow from the event, the
 * mapping and the dataset: the same request again, after a failure or not, makes what is missing and changes nothing else. Events of which none can be
 * made are named in the answer.
 * @throws AppError `VALIDATION_ERROR`, `NOT_FOUND` for the dataset or when no chosen event exists, `UNAVAILABLE`
 */
export function makeCreateDatapointBatch(deps: DataPlaneDeps): Operation<typeof createDatapointBatch> {
  return ({ body }, context) => {
    const { caller, waitMs } = context;
    const mapping = acceptEventMapping(body.mapping ?? {});
    const selection = acceptSelection(body, deps.now());
    const target = { projectId: caller.projectId, datasetId: body.dataset_id, by: actingKey(context) };
    const isRedacted = deps.redaction.rules.size > 0;
    const making = {
      target,
      mapping,
      idOf: (id: string) => datapointId(id, target, body.mapping ?? {}, isRedacted),
    };
    return respondAfterWait(deps, waitMs, async () => {
      const made = await makeAll(deps, making, selection);
      return isRedacted ? { ...made, redacted: true } : made;
    });
  };
}

async function makeAll(deps: DataPlaneDeps, making: Making, selection: Selection): Promise<Made> {
  const { projectId } = making.target;
  const insertedIds: string[] = [];
  const failed: Failure[] = [];
  try {
    await keep(deps, making.target, []);
    for await (const { events, missing } of chosenEvents(deps.store, projectId, selection)) {
      const { datapoints, failures } = datapointsOf(events, making, deps);
      if (datapoints.length > 0) await keep(deps, making.target, datapoints);
      insertedIds.push(...datapoints.map(({ id }) => id));
      failed.push(...failures, ...missing.map((event_id) => ({ event_id, message: NO_SUCH_EVENT })));
    }
  } catch (error) {
    throw insertedIds.length > 0 ? inTheMiddle(error, insertedIds.length) : error;
  }
  const [first] = failed;
  if (!first) return { inserted: true, insertedIds };
  if (insertedIds.length > 0) return { inserted: true, insertedIds, failed };
  throw failed.every(({ message }) => message === NO_SUCH_EVENT)
    ? notFound('none of the chosen events exists')
    : validationError(first.message);
}

async function keep(
  deps: DataPlaneDeps,
  target: DatapointTarget,
  datapoints: readonly EventDatapoint[],
): Promise<void> {
  if (target.datasetId === undefined && datapoints.length === 0) return;
  if (!(await deps.controlPlane.createDatapoints(target, datapoints))) throw notFound('dataset not found');
}

/** What has been made stays, and the answer says so. */
function inTheMiddle(error: unknown, count: number): AppError {
  const [code, message] =
    error instanceof AppError
      ? [error.code, error.message]
      : (['INTERNAL_ERROR', 'something went wrong'] as const);
  const rest = isRetryable(error) ? ', the same request again makes the others' : '';
  return new AppError(code, `${message}; ${count} datapoints were made before${rest}`, { cause: error });
}

function datapointsOf(events: readonly Event[], { mapping, idOf }: Making, { redaction }: DataPlaneDeps) {
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
  }
  return { datapoints, failures };
}

function checkSize(datapoint: EventDatapoint): void {
  if (Buffer.byteLength(JSON.stringify(datapoint)) <= MAX_DATAPOINT_BYTES) return;
  throw new AppError('PAYLOAD_TOO_LARGE', `the datapoint would be larger than ${MAX_DATAPOINT_BYTES} bytes`);
}

/** 24 hexadecimal digits. */
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
