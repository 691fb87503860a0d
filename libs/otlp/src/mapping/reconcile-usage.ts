/** Token counts as they were reported; zero for an absent part. */
export interface ReportedUsage {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total: number | undefined;
  /** Read from and written to a cache. */
  readonly cached: number;
  readonly reasoning: number;
  /** Input of tools that the provider has called, which some count beside the prompt. */
  readonly toolUse: number;
}

export interface ReconciledUsage {
  /** All input tokens. */
  readonly prompt: number | undefined;
  /** All output tokens. */
  readonly completion: number | undefined;
  readonly total: number | undefined;
  /** False when no reading of the parts adds up to the reported total. */
  readonly isReconciled: boolean;
}

/** Parts that an emitter may count beside the input and output instead of within them, in the order in which they are tried. */
const READINGS = [
  { cached: 0, reasoning: 0, toolUse: 0 },
  { cached: 1, reasoning: 0, toolUse: 0 },
  { cached: 0, reasoning: 1, toolUse: 0 },
  { cached: 1, reasoning: 1, toolUse: 0 },
  { cached: 0, reasoning: 0, toolUse: 1 },
  { cached: 0, reasoning: 1, toolUse: 1 },
  { cached: 1, reasoning: 0, toolUse: 1 },
  { cached: 1, reasoning: 1, toolUse: 1 },
] as const;

/**
 * Returns sums that include their parts. Emitters differ in whether cached, reasoning and tool tokens are within the input and output
 * or beside them: the total tells, else impossible values (a part larger than its sum), else the emitter.
 * @param excludesCache whether the emitter is known to report an input without cached tokens
 */
export function reconcileUsage(usage: ReportedUsage, excludesCache: boolean): ReconciledUsage {
  const { input, output, total, cached, reasoning } = usage;
  if (total === undefined || input === undefined || output === undefined)
    return withoutTotal(usage, excludesCache);
  // A part that is larger than its sum is beside it. Where the total is the sum of the rest, it is beside the total too.
  const [isCacheBeside, isReasoningBeside] = [cached > input, reasoning > output];
  const isOnlySum = total === input + output && (isCacheBeside || isReasoningBeside);
  if (isOnlySum) return withoutTotal({ ...usage, total: undefined }, excludesCache);
  const reading = READINGS.find((beside) => sumOf(usage, beside) === total);
  if (reading === undefined) return { prompt: input, completion: output, total, isReconciled: false };
  return {
    prompt: input + reading.cached * usage.cached + reading.toolUse * usage.toolUse,
    completion: output + reading.reasoning * usage.reasoning,
    total,
    isReconciled: true,
  };
}

/** Sums of a usage of which a part of the equation is missing. */
function withoutTotal(usage: ReportedUsage, excludesCache: boolean): ReconciledUsage {
  const { input, output, total, cached, reasoning } = usage;
  const isCacheBeside = cached > 0 && (excludesCache || cached > (input ?? 0));
  const prompt = isCacheBeside ? (input ?? 0) + cached : input;
  const completion = output !== undefined && reasoning > output ? output + reasoning : output;
  const sum = (prompt ?? 0) + (completion ?? 0);
  if (total !== undefined) return { prompt, completion, total, isReconciled: total >= sum };
  const isEmpty = prompt === undefined && completion === undefined;
  return { prompt, completion, total: isEmpty ? undefined : sum, isReconciled: true };
}

function sumOf(
  { input = 0, output = 0, cached, reasoning, toolUse }: ReportedUsage,
  beside: (typeof READINGS)[number],
): number {
  return input + output + beside.cached * cached + beside.reasoning * reasoning + beside.toolUse * toolUse;
}
