import type { MetricType } from '@assay/domain';
import { composite } from './composite.js';
import { human } from './human.js';
import { llm } from './llm.js';
import type { MetricKind } from './metric-kind.js';
import { python } from './python.js';

const KINDS = new Map<MetricType, MetricKind>(
  [python, llm, human, composite].map((kind) => [kind.type, kind]),
);

/** Returns how metrics of this type are evaluated. */
export function kindOf({ type }: { readonly type: MetricType }): MetricKind {
  const kind = KINDS.get(type);
  if (kind === undefined) throw new Error('a type of metrics has no kind');
  return kind;
}
