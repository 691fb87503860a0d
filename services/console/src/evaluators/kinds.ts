import type { Language } from '../editor/code-mirror.js';
import type { Metric } from '../api/metrics.js';

export type MetricType = Metric['type'];

/** What the console needs to know of a kind of metrics. No other file of it names one. */
export interface Kind {
  /** What it is, as people say it. */
  readonly name: string;
  /** Criteria of a new metric. */
  readonly example: string;
  /** Language of the criteria; undefined: they are the name of a function. */
  readonly language: Language | undefined;
  /** Highest score of a new metric; null: none. */
  readonly scale: number | null;
  /** Whether evaluators score by it; otherwise people do. */
  readonly isEvaluated: boolean;
  /** Whether each score is a call of a model, which is paid for. */
  readonly asksModel: boolean;
  /** Whether it combines the scores of other metrics. */
  readonly combines: boolean;
}

const NEITHER = { asksModel: false, combines: false };

export const KINDS: Readonly<Record<MetricType, Kind>> = {
  PYTHON: {
    ...{ name: 'Python', language: 'python', scale: null, isEvaluated: true, ...NEITHER },
    example: 'def score(inputs, outputs):\n    return len(str(outputs.get("content", "")))\n',
  },
  LLM: {
    ...{ name: 'judge', language: 'jinja', scale: 5, isEvaluated: true, ...NEITHER, asksModel: true },
    example: 'Question: {{ inputs.question }}\nAnswer: {{ outputs.content }}\nRate the answer from 1 to 5.\n',
  },
  HUMAN: {
    ...{ name: 'people', language: 'text', scale: 5, isEvaluated: false, ...NEITHER },
    example: 'Rate the answer from 1 to 5.',
  },
  COMPOSITE: {
    ...{ name: 'composite', language: undefined, scale: null, isEvaluated: true, ...NEITHER, combines: true },
    example: 'weighted average',
  },
};

/** The kind of a new metric, before another one is chosen. */
export const FIRST_TYPE: MetricType = 'PYTHON';

/** Names of the kinds, for choices. */
export const KIND_NAMES = Object.fromEntries(
  Object.entries(KINDS).map(([type, { name }]) => [type, name]),
) as Readonly<Record<MetricType, string>>;

export const kindOf = ({ type }: Pick<Metric, 'type'>): Kind => KINDS[type];
