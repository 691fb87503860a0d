import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MetricVersion, NewMetric } from '../api/metrics.js';
import type { Definition } from './describe.js';
import { FIRST_TYPE, kindOf, KINDS, type MetricType } from './kinds.js';

/** What a person has typed, and what it began with. */
export interface MetricDraft {
  readonly content: Definition;
  /** The version that it began with; undefined for a new metric. */
  readonly base: string | undefined;
  /** The version that was deployed then. */
  readonly deployed: string | undefined;
}

/** The functions by which composites combine scores; any other text averages. */
export const FUNCTIONS = [
  'weighted average',
  'weighted sum',
  'hierarchical highest true',
  'minimum',
  'maximum',
] as const;

/** A new metric, of which the type alone was chosen. */
export function newDraft(type: MetricType = FIRST_TYPE): MetricDraft {
  return {
    ...{ base: undefined, deployed: undefined },
    content: {
      ...{ name: '', type, criteria: KINDS[type].example, description: '', return_type: 'float' },
      ...{ direction: 'higher', enabled_in_prod: true, needs_ground_truth: false },
      ...{ sampling_percentage: 10, model_provider: null, model_name: null },
      scale: KINDS[type].scale,
      ...{ threshold: null, categories: null, child_metrics: null, filters: { filterArray: [] } },
    },
  };
}

export const draftOf = (
  { name, content }: MetricVersion,
  deployed: MetricVersion | undefined,
): MetricDraft => ({
  base: name,
  deployed: deployed?.name,
  content,
});

/** Type with another example, unless the criteria were changed. */
export function withType(before: Definition, type: MetricType): Definition {
  const isExample = before.criteria === kindOf(before).example;
  const { content } = newDraft(type);
  return { ...content, name: before.name, ...(!isExample && { criteria: before.criteria }) };
}

/** The definition as requests have it: what is absent in it is removed from the metric. */
export function bodyOf(content: Definition): NewMetric {
  const { model_parameters: parameters, add_instructions: instructions, ...fields } = content;
  return {
    ...fields,
    name: content.name.trim(),
    ...(parameters && Object.keys(parameters).length > 0 && { model_parameters: parameters }),
    ...(instructions !== undefined && { add_instructions: instructions }),
  };
}

/** Why a draft cannot be sent yet; undefined when it can. */
export function missingIn({ name, criteria, child_metrics: children, type }: Definition): string | undefined {
  if (name.trim() === '') return 'The metric has no name yet.';
  if (criteria.trim() === '') return 'The criteria are empty.';
  if (KINDS[type].combines && (children ?? []).length === 0) return 'The composite combines no metric yet.';
  return undefined;
}

/** The line of the criteria that a refusal names, with its message. */
export function faultOf(message: string): { readonly line: number; readonly message: string } | undefined {
  const [, line, text] = /criteria\b[^(]*\(line (\d+)\): ([\s\S]*)$/.exec(message) ?? [];
  return line === undefined ? undefined : { line: Number(line), message: text ?? '' };
}

/** A message without the line, which the page names before it. */
export const withoutLine = (message: string) => message.replace(/^line \d+: | \(line \d+\)$/g, '');

/** The draft of a metric. It stays while the person looks at other pages, and is forgotten at the end of the session. */
export function useDraft(project: string, metricId: string) {
  const client = useQueryClient();
  const queryKey = ['metric draft', project, metricId];
  const { data } = useQuery<MetricDraft | null>({
    queryKey,
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
  });
  return {
    draft: data ?? undefined,
    /** The draft of this moment: a key may come before the page was drawn again. */
    latest: () => client.getQueryData<MetricDraft | null>(queryKey) ?? undefined,
    setDraft: (draft: MetricDraft | undefined) => void client.setQueryData(queryKey, draft ?? null),
  };
}
