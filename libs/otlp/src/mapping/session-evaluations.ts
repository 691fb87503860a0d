import { setOwn, type EventPatch, type JsonObject } from '@assay/domain';
import { sessionEvaluations } from '../conventions/evaluation.js';
import { sessionRef } from './identify-session.js';
import { sourceOf, type LinkedPatch } from './linked-evaluation.js';
import type { MappedSpan } from './map-span.js';
import { compareStarts } from './trace-sessions.js';

interface Member {
  readonly mapped: MappedSpan;
  readonly event: { readonly session_id: string };
}

/**
 * Session evaluations of a request as patches, one per span and session, so that a span gives the same patch
 * whichever other spans it is sent with. They are in the order in which the spans started, independent of wire
 * order: of evaluations with the same name, the last one wins.
 */
export function sessionEvaluationPatches(members: readonly Member[], projectId: string): LinkedPatch[] {
  const judging = members.filter(({ mapped }) => mapped.buckets.metadata['evaluations'] !== undefined);
  return judging
    .sort((one, other) => compareStarts(one.mapped.span, other.mapped.span))
    .flatMap((member) => patchesOfSpan(member, projectId));
}

function patchesOfSpan({ mapped, event }: Member, projectId: string): LinkedPatch[] {
  const patches = new Map<string, { metrics: JsonObject; feedback: JsonObject }>();
  for (const evaluation of sessionEvaluations(mapped.buckets.metadata['evaluations'])) {
    const sessionId =
      evaluation.session === undefined ? event.session_id : sessionRef(projectId, evaluation.session).id;
    const patch = patches.get(sessionId) ?? { metrics: {}, feedback: {} };
    patches.set(sessionId, patch);
    setOwn(evaluation.isFeedback ? patch.feedback : patch.metrics, evaluation.name, evaluation.value);
  }
  const source = sourceOf(mapped.span);
  return [...patches].map(([eventId, patch]) => ({ eventId, source, patch: withoutEmpty(patch) }));
}

function withoutEmpty({ metrics, feedback }: { metrics: JsonObject; feedback: JsonObject }): EventPatch {
  return {
    ...(Object.keys(metrics).length === 0 ? {} : { metrics }),
    ...(Object.keys(feedback).length === 0 ? {} : { feedback }),
  };
}
