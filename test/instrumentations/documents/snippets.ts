import { readFileSync } from 'node:fs';

/** A fenced block of a document. */
export interface Snippet {
  readonly language: string;
  /** From `name=` after the language; empty when the block has none. */
  readonly name: string;
  readonly text: string;
}

const BLOCK = /^```(\w+)(?: name=(\S+))?\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a Markdown file, in order. */
export function snippetsOf(file: string): Snippet[] {
  const matches = readFileSync(file, 'utf8').matchAll(BLOCK);
  return [...matches].map(([, language = '', name = '', text = '']) => ({ language, name, text }));
}
