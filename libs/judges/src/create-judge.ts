import { AppError } from '@assay/errors';
import { DEFAULT_PRICES, estimateCost } from '@assay/otlp';
import { FairSlots, linkSignals } from '@assay/runtime';
import { TemplateError } from '@assay/templates';
import { callModel, type ModelCall } from './call-model.js';
import { JudgeFault } from './judge-fault.js';
import { MAX_ATTEMPTS, type Judge, type JudgeOutcome, type JudgeRequest, type JudgeTokens } from './judge.js';
import type { JudgeOptions } from './judge-options.js';
import { MAX_CALLS, RESERVED_CALLS } from './outbound/guarded-agents.js';
import { createOutboundHttp, type OutboundHttp } from './outbound/outbound-http.js';
import { chooseEndpoint, endpointOwner } from './providers/choose-endpoint.js';
import type { Completion } from './providers/provider-call.js';
import { finalAnswer } from './rating/final-answer.js';
import { parseRating, type Rating } from './rating/parse-rating.js';
import { ratingInstructions } from './rating/rating-instructions.js';
import { interruptionOf } from './rating/stop-reason.js';
import { samplingParameters } from './sampling-parameters.js';
import { templateVariables } from './template-variables.js';

const DEFAULT_TIMEOUT_MS = 60_000;
/** Calls that run at a time: those of projects whose endpoints hang leave room for others. */
const SLOTS = {
  total: MAX_CALLS,
  perProject: 16,
  leavesRoom: true,
  reserve: RESERVED_CALLS,
  maxWaiting: 256,
  maxWaitMs: 30_000,
};

interface JudgeParts {
  readonly options: JudgeOptions;
  readonly http: OutboundHttp;
  readonly slots: FairSlots;
}

export function createJudge(options: JudgeOptions): Judge {
  const parts: JudgeParts = {
    options,
    http: createOutboundHttp({ resolve: options.resolveHost, tls: options.tls }),
    slots: new FairSlots(SLOTS),
  };
  return {
    endpointOwner: (query) => endpointOwner(query, options),
    evaluate: (request, signal) => new Evaluation(parts, request).run(signal),
    close: () => parts.http.close(),
  };
}

/** One evaluation, and what is known of it so far. */
class Evaluation {
  private readonly startedAt = performance.now();
  private attempts = 0;
  private responded = false;
  private prompt: string | undefined;
  private reply: string | undefined;
  private usage: { readonly tokens: JudgeTokens; readonly cost?: number } | undefined;

  constructor(
    private readonly parts: JudgeParts,
    private readonly request: JudgeRequest,
  ) {}

  async run(signal?: AbortSignal): Promise<JudgeOutcome> {
    try {
      return await this.score(signal);
    } catch (error) {
      return this.failure(faultOf(error));
    }
  }

  private async score(signal?: AbortSignal): Promise<JudgeOutcome> {
    const { request } = this;
    const prompt = await this.render();
    this.prompt = prompt;
    const { text: reply, ...completion } = await this.ask(prompt, signal);
    this.reply = reply;
    this.usage = this.usageOf(completion);
    const rating = ratingOf(completion.stopReason, finalAnswer(reply), request);
    return {
      ok: true,
      value: rating.value,
      ...(rating.explanation === '' ? {} : { explanation: rating.explanation }),
      prompt,
      reply,
      ...this.usage,
      attempts: this.attempts,
      durationMs: this.durationMs(),
    };
  }

  private async render(): Promise<string> {
    const { projectId, criteria, event } = this.request;
    try {
      return await this.parts.options.templates.render(projectId, criteria, templateVariables(event));
    } catch (error) {
      if (error instanceof AppError) throw new JudgeFault('overloaded', error.message, { retryable: true });
      throw error;
    }
  }

  private async ask(user: string, signal?: AbortSignal): Promise<Completion> {
    const { request, parts } = this;
    const timeoutMs = parts.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const leftMs = Math.max(0, Math.ceil(timeoutMs - this.durationMs()));
    const { signal: either, unlink } = linkSignals(signal ? [signal] : [], leftMs);
    const call: ModelCall = {
      ...chooseEndpoint(request, parts.options),
      prompt: {
        model: request.modelName,
        ...(request.addInstructions && { system: ratingInstructions(request) }),
        user,
        parameters: samplingParameters(request.parameters),
      },
    };
    const context = {
      http: parts.http,
      signal: either,
      remainingMs: () => timeoutMs - this.durationMs(),
      random: parts.options.random ?? Math.random,
      isRepeated: request.isRepeated ?? false,
      maxAttempts: Math.min(request.maxAttempts ?? MAX_ATTEMPTS, MAX_ATTEMPTS),
      onAttempt: () => this.beginAttempt(either),
      onResponse: () => (this.responded = true),
    };
    return parts.slots.run(request.projectId, () => callModel(call, context), either).finally(unlink);
  }

  /** Recording an attempt may take longer than the evaluation; then nothing is sent. */
  private async beginAttempt(signal: AbortSignal): Promise<void> {
    await this.request.beforeAttempt?.();
    if (this.request.beforeAttempt && signal.aborted) throw overloaded('the attempt was recorded too late');
    this.attempts++;
    this.responded = false;
  }

  private usageOf({ model, ...used }: Omit<Completion, 'text' | 'stopReason'>) {
    const { modelName, modelProvider } = this.request;
    const { promptTokens: prompt, completionTokens: completion } = used;
    const tokens = { prompt, completion, cacheRead: used.cacheReadTokens, cacheWrite: used.cacheWriteTokens };
    const called = { responseModel: model, model: modelName, provider: pricedProvider(modelProvider) };
    // A provider that reports no tokens has counted some.
    const isCounted = prompt + completion > 0;
    const cost = isCounted
      ? estimateCost(this.parts.options.prices?.() ?? DEFAULT_PRICES, called, tokens)
      : undefined;
    return { tokens: { prompt, completion }, ...(cost === undefined ? {} : { cost }) };
  }

  private failure(fault: JudgeFault): JudgeOutcome {
    return {
      ok: false,
      error: fault.toError(),
      ...(this.prompt === undefined ? {} : { prompt: this.prompt }),
      ...(this.reply === undefined ? {} : { reply: this.reply }),
      ...this.usage,
      attempts: this.attempts,
      responded: this.responded,
      durationMs: this.durationMs(),
    };
  }

  private durationMs(): number {
    return performance.now() - this.startedAt;
  }
}

/** Names of providers in metrics, as the price table spells them. */
const PRICED: Readonly<Record<string, string>> = {
  azure: 'azure.ai.openai',
  azure_openai: 'azure.ai.openai',
  bedrock: 'aws.bedrock',
  aws_bedrock: 'aws.bedrock',
  gemini: 'gcp.gemini',
  google: 'gcp.gemini',
  vertex_ai: 'gcp.vertex_ai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

function pricedProvider(provider: string): string {
  const name = provider.toLowerCase();
  return Object.hasOwn(PRICED, name) ? (PRICED[name] as string) : name;
}

/** @throws JudgeFault when the model has not completed its reply, or the answer has no rating */
function ratingOf(stopReason: string | undefined, finalText: string, request: JudgeRequest): Rating {
  const interruption = interruptionOf(stopReason);
  if (interruption !== undefined)
    throw new JudgeFault(
      'llm_response_parse_error',
      `the reply of the model was not completed: ${interruption}`,
    );
  const labels = request.categories?.map(({ category }) => category);
  const rating = parseRating(finalText, request.returnType, labels);
  if (!rating) throw new JudgeFault('llm_response_parse_error', noRating(request));
  return rating;
}

function noRating({ returnType }: JudgeRequest): string {
  const example = returnType === 'float' ? '[[4]]' : '[[…]]';
  return `the reply of the model has no ${returnType} in double brackets, such as ${example}`;
}

function faultOf(error: unknown): JudgeFault {
  if (error instanceof JudgeFault) return error;
  if (error instanceof TemplateError) {
    const at = error.line === undefined ? '' : ` (line ${error.line})`;
    return new JudgeFault('template_render_error', `${error.message}${at}`, { line: error.line });
  }
  // Only the wait for a slot ends with an error of this type.
  if (error instanceof AppError) return overloaded('too many calls of the project are in progress');
  return new JudgeFault('execution_error', 'the evaluation failed', { retryable: true, cause: error });
}

function overloaded(what: string): JudgeFault {
  return new JudgeFault('overloaded', `${what}, send the request again later`, {
    retryable: true,
    repetition: 'soon',
  });
}
