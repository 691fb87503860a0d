import { isJsonObject, type JsonObject, type JsonValue } from '@assay/domain';

/** One chunk of a streamed response of Gemini: its only candidate, and what is beside it. */
interface Chunk {
  readonly candidate: JsonObject;
  readonly parts: readonly JsonValue[];
  readonly others: JsonObject;
}

/**
 * Joins the chunks of a streamed response of Gemini, a list of objects with `candidates`, into one such object: texts of one kind that
 * follow each other are one part. What the chunks hold beside their parts is in `chunks`, but for the last candidate.
 * @returns undefined for any other list
 */
export function joinStreamedCandidates(list: readonly JsonValue[]): JsonObject | undefined {
  if (list.length < 2 || chunkOf(list[0] ?? null) === undefined) return undefined;
  const chunks = list.map(chunkOf);
  if (!chunks.every((chunk) => chunk !== undefined)) return undefined;
  const last = chunks.at(-1)?.candidate ?? {};
  const parts: JsonValue[] = [];
  for (const chunk of chunks) for (const part of chunk.parts) addPart(parts, part);
  const beside = chunks.map(({ candidate: { content: _, ...facts }, others }, index) => ({
    ...others,
    ...(index < chunks.length - 1 && facts),
  }));
  const kept = beside.filter((one) => Object.keys(one).length > 0);
  return {
    candidates: [{ ...last, content: { ...(isJsonObject(last['content']) && last['content']), parts } }],
    ...(kept.length > 0 && { chunks: kept }),
  };
}

function chunkOf(item: JsonValue): Chunk | undefined {
  if (!isJsonObject(item) || !Array.isArray(item['candidates']) || item['candidates'].length !== 1)
    return undefined;
  const { candidates, ...others } = item;
  const candidate = candidates[0] ?? null;
  const content = isJsonObject(candidate) ? candidate['content'] : undefined;
  if (!isJsonObject(candidate) || !isJsonObject(content)) return undefined;
  if (!Object.keys(content).every((key) => key === 'role' || key === 'parts')) return undefined;
  const parts = content['parts'] ?? [];
  return Array.isArray(parts) ? { candidate, parts, others } : undefined;
}

function addPart(parts: JsonValue[], part: JsonValue): void {
  const before = parts.at(-1) ?? null;
  if (!isText(before) || !isText(part) || before['thought'] !== part['thought']) parts.push(part);
  else parts[parts.length - 1] = { ...before, text: `${before.text}${part.text}` };
}

/** Whether the part is a text or a thought, and nothing else. */
function isText(part: JsonValue): part is JsonObject & { text: string } {
  if (!isJsonObject(part) || typeof part['text'] !== 'string') return false;
  return Object.keys(part).every((key) => key === 'text' || key === 'thought');
}
