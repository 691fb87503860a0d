/** What the kind of a metric means outside of the evaluator. */
export interface MetricTraits {
  /** What the criteria are: source code, the template of a prompt, a function of other scores, or instructions for people. */
  readonly criteria: 'python' | 'template' | 'function' | 'instructions';
  /** Whether evaluators score events by it; otherwise people do. */
  readonly isEvaluated: boolean;
  /** Whether a model of a provider evaluates. */
  readonly needsModel: boolean;
  /** Whether its scores combine those of other metrics on the same events. */
  readonly hasChildren: boolean;
  /** What clients of the 0.2 line call the type. */
  readonly olderType: 'custom' | 'model' | 'human' | 'composite';
  /** Where these clients read the criteria; absent: nowhere else. */
  readonly olderCriteria?: 'code_snippet' | 'prompt';
}

/** The kinds of metrics, in the order in which the API lists them. How events are evaluated by each is in the evaluator. */
const METRIC_KINDS = {
  PYTHON: {
    criteria: 'python',
    isEvaluated: true,
    needsModel: false,
    hasChildren: false,
    olderType: 'custom',
    olderCriteria: 'code_snippet',
  },
  LLM: {
    criteria: 'template',
    isEvaluated: true,
    needsModel: true,
    hasChildren: false,
    olderType: 'model',
    olderCriteria: 'prompt',
  },
  HUMAN: {
    criteria: 'instructions',
    isEvaluated: false,
    needsModel: false,
    hasChildren: false,
    olderType: 'human',
  },
  COMPOSITE: {
    criteria: 'function',
    isEvaluated: true,
    needsModel: false,
    hasChildren: true,
    olderType: 'composite',
  },
} as const satisfies Readonly<Record<string, MetricTraits>>;

export type MetricType = keyof typeof METRIC_KINDS;
/** A type of which evaluators score events. */
export type EvaluatedType = {
  [T in MetricType]: (typeof METRIC_KINDS)[T]['isEvaluated'] extends true ? T : never;
}[MetricType];

export const METRIC_TYPES = Object.keys(METRIC_KINDS) as readonly MetricType[];
export const EVALUATED_TYPES = METRIC_TYPES.filter(isEvaluatedType);
/** The types of which people score events. */
export const PEOPLE_TYPES = METRIC_TYPES.filter((type) => !isEvaluatedType(type));

/** Returns what the type of a metric means. */
export function traitsOf({ type }: { readonly type: MetricType }): MetricTraits {
  return METRIC_KINDS[type];
}

function isEvaluatedType(type: MetricType): type is EvaluatedType {
  return METRIC_KINDS[type].isEvaluated;
}
