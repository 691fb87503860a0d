import type { ReturnType } from '@assay/domain';
import type { JudgeValue } from '../judge.js';

export interface Rating {
  readonly value: JudgeValue;
  /** Text outside the brackets; empty when there is none. */
  readonly explanation: string;
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  '1': true,
  false: false,
  no: false,
  '0': false,
};
const MAX_EXPLANATION_LENGTH = 100_000;

/**
 * Reads the value of a metric from the reply of a judge: the last `[[…]]`. Without brackets, a reply that is only a number or a boolean is the
 * value, and the whole reply is the value of a string metric. Undefined when there is no value of the type.
 * @param categories labels of a categorical metric
 */
export function parseRating(
  reply: string,
  returnType: ReturnType,
  categories: readonly string[] = [],
): Rating | undefined {
  const brackets = lastBrackets(reply);
  if (brackets === undefined) return withoutBrackets(reply, returnType, categories);
  const value = readValue(brackets.content.trim(), returnType, categories);
  return value === undefined ? undefined : { value, explanation: clip(brackets.around) };
}

interface Brackets {
  readonly content: string;
  readonly around: string;
}

/** The last `[[…]]`: the last `]]`, and the last `[[` before it. */
function lastBrackets(reply: string): Brackets | undefined {
  const close = reply.lastIndexOf(']]');
  const open = close < 2 ? -1 : reply.lastIndexOf('[[', close - 2);
  if (open < 0) return undefined;
  const before = reply.slice(0, open).trimEnd();
  const after = reply.slice(close + 2).trimStart();
  const around = [before, after].filter((part) => part !== '').join('\n');
  return { content: reply.slice(open + 2, close), around };
}

function withoutBrackets(
  reply: string,
  returnType: ReturnType,
  categories: readonly string[],
): Rating | undefined {
  const text = reply.trim();
  if (text === '') return undefined;
  const bare = returnType === 'string' ? text : text.replace(/[.!]$/, '');
  const value = returnType === 'categorical' ? undefined : readValue(bare, returnType, categories);
  return value === undefined ? undefined : { value, explanation: '' };
}

function readValue(
  text: string,
  returnType: ReturnType,
  categories: readonly string[],
): JudgeValue | undefined {
  switch (returnType) {
    case 'float':
      return readNumber(text);
    case 'boolean':
      return Object.hasOwn(BOOLEANS, text.toLowerCase()) ? BOOLEANS[text.toLowerCase()] : undefined;
    case 'categorical':
      return findCategory(text, categories);
    case 'string':
      return text;
  }
}

function readNumber(text: string): number | undefined {
  if (text.length > 400 || !NUMBER.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The label as the metric spells it: an exact match, or one that differs in case only. */
function findCategory(text: string, categories: readonly string[]): string | undefined {
  const lower = text.toLowerCase();
  return (
    categories.find((category) => category === text) ??
    categories.find((category) => category.trim().toLowerCase() === lower)
  );
}

/** Cuts a long explanation, but no character that consists of two units. */
function clip(text: string): string {
  return text.slice(0, MAX_EXPLANATION_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
}
