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
  builder: SpanBuilder,
  { name, scope, kind }: Pick<Span, 'name' | 'scope' | 'kind'>,
): EventType {
  const named = typeOfName(name, scope.name);
  if (named !== undefined) builder.assignSlot(TYPE, named.order, named.type, undefined);
  const explicit = builder.text(TYPE);
  if (explicit !== undefined) return explicit as EventType;
  if (builder.has(TOOL_EVIDENCE)) return 'tool';
  if (builder.has(WEAK_CHAIN))
    return builder.text(WEAK_CHAIN) === 'weak' && isModelLike(builder) ? 'model' : 'chain';
  if (builder.has(MODEL)) return 'model';
  if (builder.has(WEAK_TOOL)) return 'tool';
  return kind === 'CLIENT' || kind === 'PRODUCER' ? 'tool' : 'chain';
}

function isModelLike(builder: SpanBuilder): boolean {
  return builder.has(MODEL) || builder.has(COST) || builder.filled('usage').length > 0;
}
