import type { ServerResponse } from 'node:http';
import { chatCompletion } from '@assay/judges/test/fake-provider';

interface HeldPrompt {
  readonly prompt: string;
  readonly response: ServerResponse;
}

/** Prompts of a fake model that get no response before they are released. Each response has a rating of its own. */
export class HeldPrompts {
  readonly #open = new Set<HeldPrompt>();
  readonly #ratings: { readonly prompt: string; readonly rating: number }[] = [];
  #isHolding = true;

  /** Prompts without a response whose client waits. */
  get open(): number {
    return this.#open.size;
  }

  /** Holds the prompts that arrive from now on. */
  hold(): void {
    this.#isHolding = true;
  }

  /** Responds to all open prompts, and to those that arrive from now on. */
  release(): void {
    this.#isHolding = false;
    for (const one of this.#open) this.#respond(one);
  }

  /** Holds a prompt, or responds to it. */
  receive(one: HeldPrompt): void {
    if (!this.#isHolding) return this.#respond(one);
    this.#open.add(one);
    one.response.once('close', () => this.#open.delete(one));
  }

  /** The ratings that were sent in response to prompts with this text. */
  ratingsOf(text: string): number[] {
    return this.#ratings.flatMap(({ prompt, rating }) => (prompt.includes(text) ? rating : []));
  }

  #respond({ prompt, response }: HeldPrompt): void {
    const rating = this.#ratings.length + 1;
    this.#ratings.push({ prompt, rating });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(chatCompletion(`Rating: [[${rating}]]`)));
  }
}
