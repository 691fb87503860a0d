import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A random number generator with a seed: mulberry32. Returns numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Distinct sentences of real prose: the documentation that the installed packages bring, so that bodies compress as real ones do. */
export class Prose {
  private readonly sentences: string[];

  constructor(
    modules: string,
    private readonly random: () => number,
  ) {
    this.sentences = [...new Set(readmes(modules).flatMap(sentencesOf))];
    if (this.sentences.length < 20_000)
      throw new Error(`only ${this.sentences.length} sentences under ${modules}`);
  }

  /** Random sentences, about `bytes` of UTF-8. */
  text(bytes: number): string {
    const parts: string[] = [];
    for (let length = 0; length < bytes; length += parts.at(-1)!.length + 1) {
      parts.push(this.sentences[Math.floor(this.random() * this.sentences.length)]!);
    }
    return parts.join(' ').slice(0, bytes);
  }
}

function readmes(modules: string): string[] {
  const packages = join(modules, '.pnpm');
  return readdirSync(packages).flatMap((name) => documentsIn(join(packages, name, 'node_modules')));
}

function documentsIn(folder: string): string[] {
  return listed(folder).flatMap((name) => {
    const inner = join(folder, name);
    if (name.startsWith('@')) return documentsIn(inner);
    const files = listed(inner).filter((file) => /\.(md|txt)$/i.test(file) || /\.d\.ts$/.test(file));
    return files.map((file) => readFileSync(join(inner, file), 'utf8'));
  });
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function sentencesOf(document: string): string[] {
  return document
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?]) /)
    .filter((sentence) => sentence.length > 30 && sentence.length < 400);
}
