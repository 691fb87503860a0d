import { readPayload, type PayloadAddress } from '../api/payload-stream.js';
import { indexBytes, rootEntry } from '../payload/byte-index.js';
import { CutValue, isValueObject, printValue, readValue, type Value } from '../payload/read-value.js';
import { diffTexts, type TextDiff } from './diff-texts.js';
import { diffJson, type JsonDiff } from './json-paths.js';

export interface DiffRequest {
  /** For the page, which asks for a key when this one is refused. */
  readonly project: string;
  readonly before: PayloadAddress | undefined;
  readonly after: PayloadAddress | undefined;
}

/** Two payloads side by side, by words and by paths. */
export interface PayloadDiff {
  readonly text: TextDiff;
  readonly json: JsonDiff;
  /** Whether a side was too long to be compared in full. */
  readonly isCut: boolean;
}

/** Longer texts are compared by their beginning. */
const LIMITS = { maxTextBytes: 200_000, maxDepth: 64, maxValues: 50_000 };

/** What the worker of comparisons does for the page. Payloads stay in the worker. */
export class DiffFunctions {
  /** Compares two texts that the page has. */
  readonly texts = ({ before, after }: { before: string; after: string }): Promise<TextDiff> =>
    Promise.resolve(diffTexts(before, after));

  readonly diff = async ({ before, after }: DiffRequest): Promise<PayloadDiff> => {
    const [old, now] = await Promise.all([read(before), read(after)]);
    const [oldText, newText] = [textOf(old), textOf(now)];
    return {
      text: diffTexts(oldText, newText),
      json: diffJson(old, now),
      isCut: [oldText, newText].some((text) => text.length >= LIMITS.maxTextBytes),
    };
  };
}

async function read(address: PayloadAddress | undefined): Promise<Value> {
  if (address === undefined) return {};
  const index = indexBytes(await readPayload(address));
  return readValue(index, rootEntry(index), LIMITS);
}

/** The text of outputs that are one text, else their JSON. A side without outputs is empty. */
function textOf(value: Value): string {
  if (!isValueObject(value)) return printValue(value);
  const fields = Object.entries(value).filter(([key]) => !ABOUT.has(key));
  if (fields.length === 0) return '';
  const [only] = fields.length === 1 ? fields : [];
  if (typeof only?.[1] === 'string') return only[1];
  if (only?.[1] instanceof CutValue) return only[1].beginning;
  return printValue(value).slice(0, LIMITS.maxTextBytes);
}

/** Fields of a message besides what it says. */
const ABOUT: ReadonlySet<string> = new Set(['role', 'finish_reason']);
