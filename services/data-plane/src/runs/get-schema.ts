import type { EventSchemaResponse, getEventsSchema, getRunSchema, getRunsSchema } from '@assay/contracts';
import { acceptDateRange, type Caller, type DateRange } from '@assay/domain';
import type { EventSchemaQuery, StoredField } from '@assay/event-store';
import type { Operation, RequestContext } from '@assay/http';
import { respondAfterWait, respondWhenCurrent } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';
import { membersOfRuns } from '../shared/run-members.js';
import { loadRuns } from './load-runs.js';

/** Lists the fields of all events, or of those of one run. */
export function makeGetEventsSchema(deps: DataPlaneDeps): Operation<typeof getEventsSchema> {
  const readSchema = makeReadSchema(deps);
  return ({ query }, context) => {
    const range = acceptDateRange(query.dateRange, deps.now());
    return readSchema(query.evaluation_id ?? 'events', range, context);
  };
}

/** Lists the fields of the events of all runs, or of one. */
export function makeGetRunsSchema(deps: DataPlaneDeps): Operation<typeof getRunsSchema> {
  const readSchema = makeReadSchema(deps);
  return ({ query }, context) =>
    readSchema(query.evaluation_id ?? 'runs', acceptDateRange(query.dateRange, deps.now()), context);
}

/** Lists the fields of the events of one run. */
export function makeGetRunSchema(deps: DataPlaneDeps): Operation<typeof getRunSchema> {
  const readSchema = makeReadSchema(deps);
  return ({ params, query }, context) =>
    readSchema(params.run_id, acceptDateRange(query.dateRange, deps.now()), context);
}

/**
 * Returns a function that reads the schema of all events, of those of all runs, or of the run with this id. A schema
 * of runs includes everything accepted before the request, as the results of runs do.
 */
function makeReadSchema(deps: DataPlaneDeps) {
  return (
    scope: string,
    range: DateRange,
    { caller: { projectId }, waitMs, signal }: RequestContext<Caller>,
  ) => {
    const prepare = () => scopeOf(deps, projectId, scope);
    const read = async (prepared: EventSchemaQuery['scope']) => {
      const { fields, datasets } = await deps.store.aggregates.eventSchema(
        projectId,
        { ...range, scope: prepared },
        { signal },
      );
      return toResponse(fields, datasets);
    };
    if (scope === 'events') return respondAfterWait(deps, waitMs, async () => read(await prepare()));
    return respondWhenCurrent(deps, waitMs, prepare, read);
  };
}

async function scopeOf(
  deps: DataPlaneDeps,
  projectId: string,
  scope: string,
): Promise<EventSchemaQuery['scope']> {
  if (scope === 'events') return scope;
  if (scope === 'runs') return membersOfRuns(deps, projectId);
  const { runs } = await loadRuns(deps, projectId, [scope]);
  const [run] = runs;
  return { runId: run?.run_id ?? scope, sessionIds: run?.event_ids ?? [] };
}

/** Fields by name, then by type of event. */
function toResponse(stored: readonly StoredField[], datasets: readonly string[]): EventSchemaResponse {
  const sorted = [...stored].sort(
    (a, b) => compareText(a.name, b.name) || compareText(a.eventType, b.eventType),
  );
  const fields = new Map<string, EventSchemaResponse['fields'][number]>();
  const mappings = new Map<string, { field_name: string; event_type: string }[]>();
  for (const { name, eventType: event_type, eventName } of sorted) {
    fields.set(JSON.stringify([name, event_type]), { name, event_type });
    const ofName = mappings.get(eventName) ?? [];
    mappings.set(eventName, ofName);
    ofName.push({ field_name: name, event_type });
  }
  return { fields: [...fields.values()], datasets: [...datasets], mappings: Object.fromEntries(mappings) };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
