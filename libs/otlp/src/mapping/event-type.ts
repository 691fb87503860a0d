import type { EventType } from '@assay/domain';
import { typeOfName } from '../conventions/span-names.js';
import type { Span } from '../messages.js';
import type { SpanBuilder } from './span-builder.js';
import { slotOf } from './slots.js';

const TYPE = slotOf('fact.type');
const WEAK_CHAIN = slotOf('fact.weak_chain');
const WEAK_TOOL = slotOf('fact.weak_tool');
const TOOL_EVIDENCE = slotOf('fact.tool_evidence');
const COST = slotOf('fact.cost');
const MODEL = slotOf('config.model');

/**
 * Event type of a span: its explicit type; else `tool` if it names a tool, `model` if it names a model; else
 * by span kind: outgoing calls are `tool`, everything else is `chain`.
 */
export function eventTypeOf(
  draft: SpanBuilder,
  { name, scope, kind }: Pick<Span, 'name' | 'scope' | 'kind'>,
): EventType {
  const named = typeOfName(name, scope.name);
  if (named !== undefined) draft.propose(TYPE, named.order, named.type, undefined);
  const said = draft.text(TYPE);
  if (said !== undefined) return said as EventType;
  if (draft.has(TOOL_EVIDENCE)) return 'tool';
  if (draft.has(WEAK_CHAIN))
    return draft.text(WEAK_CHAIN) === 'weak' && isModelLike(draft) ? 'model' : 'chain';
  if (draft.has(MODEL)) return 'model';
  if (draft.has(WEAK_TOOL)) return 'tool';
  return kind === 'CLIENT' || kind === 'PRODUCER' ? 'tool' : 'chain';
}

function isModelLike(draft: SpanBuilder): boolean {
  return draft.has(MODEL) || draft.has(COST) || draft.filled('usage').length > 0;
}
