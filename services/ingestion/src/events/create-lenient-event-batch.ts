import type { LenientSession, createLenientEventBatch, createModelEventBatch } from '@assay/contracts';
import { modelEventInput, type BatchInput } from '@assay/domain';
import type { Operation } from '@assay/http';
import type { IngestionDeps } from '../ingestion-deps.js';
import { storeBatch } from './store-batch.js';
import { withoutNulls } from './without-nulls.js';

/** Stores several events, all or none; how they share a session may be said under older names. */
export function makeCreateLenientEventBatch(deps: IngestionDeps): Operation<typeof createLenientEventBatch> {
  return ({ body }, { caller, headers, yieldToEventLoop }) => {
    const batch = { ...sharingOf(body), events: body.events.map(withoutNulls) };
    return storeBatch(
      deps,
      { caller, headers, operation: 'createLenientEventBatch', content: body, yieldToEventLoop },
      batch,
    );
  };
}

/** Stores several calls of models, all or none. */
export function makeCreateModelEventBatch(deps: IngestionDeps): Operation<typeof createModelEventBatch> {
  return ({ body }, { caller, headers, yieldToEventLoop }) => {
    const events = body.model_events.map((event, index) =>
      modelEventInput(withoutNulls(event), `model_events[${index}].`),
    );
    const batch = { ...sharingOf(body), events, listName: 'model_events' };
    return storeBatch(
      deps,
      { caller, headers, operation: 'createModelEventBatch', content: body, yieldToEventLoop },
      batch,
    );
  };
}

interface Sharing {
  readonly single_session?: boolean | null;
  readonly is_single_session?: boolean | null;
  readonly session_properties?: LenientSession | null;
  readonly session?: LenientSession | null;
}

function sharingOf(sent: Sharing): Pick<BatchInput, 'single_session' | 'session_properties'> {
  const properties = sent.session_properties ?? sent.session ?? undefined;
  return {
    single_session: sent.single_session ?? sent.is_single_session ?? false,
    ...(properties === undefined ? {} : { session_properties: withoutNulls(properties) }),
  };
}
