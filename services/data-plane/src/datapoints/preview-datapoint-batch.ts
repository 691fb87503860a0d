import {
  MAPPED_PARTS,
  PREVIEWED_DATAPOINTS,
  type MappedPart,
  type previewDatapointBatch,
  type ResponseOf,
} from '@assay/contracts';
import {
  acceptEventMapping,
  datapointOfEvent,
  eventPath,
  redactEvent,
  valueAt,
  type DatapointMapping,
  type Event,
} from '@assay/domain';
import { AppError } from '@assay/errors';
import type { EventQuery } from '@assay/event-store';
import type { Operation } from '@assay/http';
import type { Steps } from '@assay/runtime';
import { respondAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { search, selectedEvents, type SelectionSource } from './selected-events.js';
import { acceptSelection, type Selection } from './selection.js';

/** Events whose fields are counted: the first page of a batch. */
const MAX_SAMPLED = 250;

type Preview = ResponseOf<typeof previewDatapointBatch>;

/** What the parts of a datapoint are taken from without a mapping; see `datapointOfEvent`. */
const DEFAULT_MAPPING: DatapointMapping = {
  inputs: ['inputs'],
  history: ['inputs.chat_history'],
  ground_truth: ['feedback.ground_truth', 'outputs'],
};

/**
 * Shows what a batch with the same body would create: the first datapoints after redaction, the number of selected
 * events, and how many of the first events have each mapped field. Writes nothing.
 */
export function makePreviewDatapointBatch(deps: DataPlaneDeps): Operation<typeof previewDatapointBatch> {
  return ({ body }, { caller, waitMs, signal, runInTurns }) => {
    const mapping = acceptEventMapping(body.mapping ?? {});
    const selection = acceptSelection(body, deps.now());
    return respondAfterWait(deps, waitMs, async () => {
      const source = { events: deps.store.events, projectId: caller.projectId, signal };
      const { events, missing } = await firstEvents(source, selection);
      const toDatapoint = (event: Event) => datapointOfEvent(redactEvent(event, deps.redaction), mapping);
      const { datapoints, failed } = await runInTurns(previewSteps(events, toDatapoint));
      const notFound = missing.map((event_id) => ({ event_id, message: 'there is no event with this id' }));
      return {
        datapoints,
        failed: [...failed, ...notFound],
        total: await countSelected(source, selection),
        sampled: events.length,
        coverage: coverageOf(events, mapping ? (body.mapping ?? {}) : DEFAULT_MAPPING),
      };
    });
  };
}

/** Returns the first page of the selected events that has one. */
async function firstEvents(source: SelectionSource, selection: Selection) {
  const missing: string[] = [];
  for await (const page of selectedEvents(source, selection, MAX_SAMPLED)) {
    missing.push(...page.missing);
    if (page.events.length > 0) return { events: page.events, missing };
  }
  return { events: [], missing };
}

/** Named events that also match are counted once, excluded ones not at all. */
async function countSelected(
  source: SelectionSource,
  { named, excluded, matching }: Selection,
): Promise<number> {
  if (matching === undefined) return named.length;
  const count = async (filters: EventQuery['filters']) =>
    (await search(source, { ...matching, filters, limit: 1, offset: 0, ordered: false })).total;
  const known = [...named, ...excluded];
  const all = await count(matching.filters);
  if (known.length === 0) return all;
  const ids = { field: 'event_id', operator: 'in', type: 'string', value: known } as const;
  return named.length + all - (await count([...matching.filters, ids]));
}

function* previewSteps(
  events: readonly Event[],
  toDatapoint: (event: Event) => ReturnType<typeof datapointOfEvent>,
): Steps<Pick<Preview, 'datapoints' | 'failed'>> {
  const datapoints: Preview['datapoints'] = [];
  const failed: Preview['failed'] = [];
  for (const event of events) {
    const { event_id } = event;
    try {
      const { inputs, history, ground_truth } = toDatapoint(event);
      if (datapoints.length < PREVIEWED_DATAPOINTS)
        datapoints.push({ event_id, inputs, history: [...history], ground_truth });
    } catch (error) {
      if (!(error instanceof AppError) || error.retryable) throw error;
      failed.push({ event_id, message: error.message });
    }
    yield;
  }
  return { datapoints, failed };
}

function coverageOf(events: readonly Event[], mapping: DatapointMapping): Preview['coverage'] {
  const fieldsOf = (part: MappedPart) => (mapping[part] ?? []).map((field) => ({ part, field }));
  return MAPPED_PARTS.flatMap(fieldsOf).map(({ part, field }) => {
    const path = eventPath(field);
    const found = path ? events.filter((event) => isPresent(valueAt(event, path))).length : 0;
    return { part, field, found };
  });
}

/** An object without entries contributes nothing. */
function isPresent(value: ReturnType<typeof valueAt>): boolean {
  return value !== null && (typeof value !== 'object' || Object.keys(value).length > 0);
}
