import type { getEventPayload } from '@assay/contracts';
import { canonicalUuid, type Caller } from '@assay/domain';
import { notFound } from '@assay/errors';
import type { LocatedField, QueryOptions } from '@assay/event-store';
import { rangeResponse, type ByteRange, type Operation } from '@assay/http';
import { respondByIdAfterWait } from '../freshness/respond-after-wait.js';
import type { DataPlaneDeps } from '../shared/data-plane-deps.js';

/** Bytes of one statement. A response holds about two of these in memory. */
const PART_BYTES = 4 * 1024 ** 2;

/**
 * Reads one object of an event as stored. The bytes are read while they are sent; an event that changes meanwhile
 * breaks the response off. The entity tag is the version of the row that holds the object.
 */
export function makeGetEventPayload(deps: DataPlaneDeps): Operation<typeof getEventPayload> {
  return ({ params, query }, { caller, waitMs, signal, headers }) => {
    const eventId = canonicalUuid(params.event_id);
    return respondByIdAfterWait(deps, { caller, waitMs, signal }, async () => {
      const located = await deps.store.events.locateField(caller.projectId, eventId, params.field, {
        signal,
      });
      if (!located) throw notFound('there is no event with this event_id');
      return rangeResponse(headers, {
        contentType: 'application/json',
        length: located.bytes,
        tag: `"${located.version}"`,
        headers: query.download ? saveAs(`${eventId}.${params.field}.json`) : {},
        read: (range) => readParts(deps, caller, { located, range }, { signal }),
      });
    });
  };
}

async function* readParts(
  { store }: DataPlaneDeps,
  { projectId }: Caller,
  { located, range }: { readonly located: LocatedField; readonly range: ByteRange },
  options: QueryOptions,
): AsyncGenerator<Buffer> {
  if (located.whole) {
    yield located.whole.subarray(range.from, range.to);
    return;
  }
  for (let from = range.from; from < range.to; from += PART_BYTES) {
    const part = { from, length: Math.min(PART_BYTES, range.to - from) };
    yield await store.events.fieldBytes(projectId, located, part, options);
  }
}

function saveAs(name: string): Record<string, string> {
  return { 'Content-Disposition': `attachment; filename="${name}"` };
}
