/**
 * Which usage of a session counts. Two kinds of events repeat usage that others report:
 * a model event above a model event of the same response, or of the same model and the same counts (the inner one counts); and any
 * other event that reports a sum (`aggregate_usage`), which counts only where no model event of its trace reports the amount, and where its
 * parent reports no sum either. Tokens and cost are told apart: an event may report one of them alone.
 */
type Amount = 'cost' | 'prompt_tokens' | 'completion_tokens' | 'total_tokens';
type Kind = 'tokens' | 'cost';

/** Whether an event reports the kind by itself, or as a sum. */
const REPORTS = {
  own: { tokens: 'own_prompt_tokens + own_completion_tokens + own_total_tokens > 0', cost: 'own_cost > 0' },
  sum: { tokens: 'sum_prompt_tokens + sum_completion_tokens + sum_total_tokens > 0', cost: 'sum_cost > 0' },
} as const;

const KINDS = ['tokens', 'cost'] as const;

/** An array of hashes that say what a row reports: in which trace, below which event, and that it is a sum. 0 where it does not. */
export function usageHashes(): string {
  const hashes = KINDS.flatMap((kind) => [
    when(REPORTS.own[kind], inTrace(kind)),
    when(`${REPORTS.own[kind]} AND response != ''`, ofResponse(kind, 'parent')),
    when(`${REPORTS.own[kind]} AND ${HAS_COUNTS}`, ofCounts(kind, 'parent')),
    when(REPORTS.sum[kind], asSum(kind, 'id')),
  ]);
  return `arrayFilter(h -> h != 0, [${hashes.join(', ')}])`;
}

/** Whether others repeat what the row reports, for tokens and for cost. `seen` names the hashes of all rows. One look-up serves all of them. */
export function isReportedElsewhere(seen: string): string {
  const asked = KINDS.map((kind) => {
    const asModel = `[${when("response != ''", ofResponse(kind, 'id'))}, ${when(HAS_COUNTS, ofCounts(kind, 'id'))}]`;
    return `if(is_model, ${asModel}, [${inTrace(kind)}, ${asSum(kind, 'parent')}])`;
  });
  return `arrayMap(hashes -> arrayExists(h -> h IN ${seen}, hashes), [${asked.join(', ')}])`;
}

/** What the row adds to an amount of its session. `elsewhere` names what `isReportedElsewhere` gave. */
export function countedOnce(amount: Amount, elsewhere: string): string {
  return `if(${elsewhere}[${amount === 'cost' ? 2 : 1}], 0, own_${amount} + sum_${amount})`;
}

/** The model and its counts tell a call from others only where both are known. */
const HAS_COUNTS = `(model != '' AND own_prompt_tokens + own_completion_tokens > 0)`;

function inTrace(kind: Kind): string {
  return `sipHash64('${kind} of trace', session_id, trace)`;
}

function ofResponse(kind: Kind, event: 'id' | 'parent'): string {
  return `sipHash64('${kind} of response', session_id, ${event}, response)`;
}

function ofCounts(kind: Kind, event: 'id' | 'parent'): string {
  return `sipHash64('${kind} of counts', session_id, ${event}, model, own_prompt_tokens, own_completion_tokens)`;
}

function asSum(kind: Kind, event: 'id' | 'parent'): string {
  return `sipHash64('sum of ${kind}', session_id, ${event})`;
}

function when(condition: string, hash: string): string {
  return `if(${condition}, ${hash}, 0)`;
}
