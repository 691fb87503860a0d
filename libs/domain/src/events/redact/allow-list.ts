import { validationError } from '@assay/errors';
import type { TextShape } from '../event-field.js';
import type { NameToken } from './name-token.js';

/** Names whose text leaves the data plane with redaction, if it has the shape. */
export interface AllowedNames {
  /** Keys, or dotted ends of paths. A leading `*` stands for any beginning of the last key. */
  readonly names: readonly string[];
  readonly shape: TextShape;
  /** Meaning, for the documentation. */
  readonly meaning: string;
}

/** Names that are allowed without further settings. */
export const ALLOWED_NAMES: readonly AllowedNames[] = [
  {
    names: ['event_id', 'session_id', 'parent_id', 'trace_id', 'span_id', 'parent_span_id'],
    shape: 'id',
    meaning: 'ids of events, sessions and spans',
  },
  {
    names: ['run_id', 'dataset_id', 'datapoint_id'],
    shape: 'id',
    meaning: 'run, dataset and datapoint of an experiment',
  },
  { names: ['model', 'model_name', 'model_id'], shape: 'token', meaning: 'model' },
  {
    names: ['provider', 'provider_name', 'provider.name', 'model_provider', 'gen_ai.system', 'llm.system'],
    shape: 'token',
    meaning: 'provider',
  },
  {
    names: ['environment', 'env', 'deployment.environment.name'],
    shape: 'token',
    meaning: 'environment',
  },
  { names: ['source', 'service.name', 'service.version'], shape: 'token', meaning: 'source' },
  {
    names: ['event_name', 'event_type', 'metric_name'],
    shape: 'token',
    meaning: 'names of events and metrics',
  },
  {
    names: ['error.type', 'error_type', 'error_class', 'exception.type'],
    shape: 'token',
    meaning: 'class of an error, without its message',
  },
  { names: ['annotator'], shape: 'token', meaning: 'annotator of a queue' },
  { names: ['*tokens', '*cost'], shape: 'number', meaning: 'token counts and costs that are sent as text' },
];

/**
 * Names of keys that carry inputs, outputs or other content. No text below one of them is allowed, whatever
 * its own name.
 */
const CONTENT_NAMES = new Set(
  [
    ...['input', 'inputs', 'output', 'outputs', 'message', 'messages', 'prompt', 'prompts', 'completion'],
    ...['completions', 'content', 'contents', 'body', 'query', 'argument', 'arguments', 'result', 'results'],
    ...['text', 'template', 'templates', 'variables', 'history', 'chat_history', 'choices', 'document'],
    ...['documents', 'ground_truth', 'explanation', 'comment', 'attachments'],
  ].map(normalised),
);

/** Names of copies of inputs and outputs, of which no value leaves. */
const COPY_NAMES = new Set(['inputs', 'outputs']);

/** Names of keys whose text is the name of an event or a session, or a source. */
const EVENT_NAMES = new Set(['event_name', 'session_name', 'source', 'service.name'].map(normalised));

/** What leaves in another form than with the allow list alone. */
export interface StricterForms {
  /** In place of the names of events and sessions and of sources. */
  readonly nameToken?: NameToken;
  /** Whether a number leaves only where the allow list contains its name. */
  readonly onlyKnownNumbers?: boolean;
}

/** What the allow list says of a path. */
export type Allowance = 'copy' | TextShape | undefined;

const NAME = /^\w[\w-]*(?:\.\w[\w-]*)*$/;
const MAX_NAME_LENGTH = 100;

/** Decides by the path of a value whether its text may leave. Names are compared without case, `_` and `-`. */
export class AllowList {
  private readonly exact = new Map<string, TextShape>();
  private readonly endings: { readonly ending: string; readonly shape: TextShape }[] = [];
  private maxSegments = 1;

  /**
   * @param further names of the operator, whose text leaves as a `name`
   * @param forms what is stricter than the list
   * @throws AppError `VALIDATION_ERROR` naming the entry of `REDACT_ALLOW` that is not a name
   */
  constructor(
    further: readonly string[],
    readonly forms: StricterForms = {},
  ) {
    for (const { names, shape } of ALLOWED_NAMES) for (const name of names) this.add(name, shape);
    further.forEach((name, index) => {
      if (name.length > MAX_NAME_LENGTH || !NAME.test(name))
        throw validationError(
          `entry ${index + 1} of REDACT_ALLOW must be a name of at most ${MAX_NAME_LENGTH} characters, such as tier or customer.plan`,
        );
      this.add(name, 'name');
    });
  }

  /**
   * Returns the shape of text that may leave at this dotted path, which begins with a field of the event;
   * `copy` below a copy of inputs or outputs; undefined if no text may leave.
   */
  at(path: string): Allowance {
    const segments = normalised(path).split('.');
    if (segments.some((segment) => COPY_NAMES.has(segment))) return 'copy';
    for (let count = 1; count <= Math.min(this.maxSegments, segments.length - 1); count++) {
      const name = segments.slice(-count).join('.');
      const shape = this.exact.get(name) ?? this.endings.find(({ ending }) => name.endsWith(ending))?.shape;
      if (shape && !segments.slice(1, -count).some((segment) => CONTENT_NAMES.has(segment))) return shape;
    }
    return undefined;
  }

  /** Whether text at this path is the name of an event, a session or a source. */
  isEventName(path: string): boolean {
    const segments = normalised(path).split('.');
    return [1, 2].some((count) => EVENT_NAMES.has(segments.slice(-count).join('.')));
  }

  private add(name: string, shape: TextShape): void {
    const text = normalised(name);
    if (text.startsWith('*')) this.endings.push({ ending: text.slice(1), shape });
    else this.exact.set(text, shape);
    this.maxSegments = Math.max(this.maxSegments, text.split('.').length);
  }
}

function normalised(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
