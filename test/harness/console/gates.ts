import type { ConsoleMessage, Page } from 'playwright-core';

/** Chromium reports every response of 400 and above; a test that provokes one says so in its own assertions. */
const OF_STATUS = /^Failed to load resource: the server responded with a status of (\d+)/;

/** Records what no page of the console may do, in all of its life. Refusals of the policies are errors of the browser's console. */
export class Gates {
  readonly #faults: string[] = [];
  readonly #requests: string[] = [];

  constructor(page: Page, baseUrl: string) {
    const own = new URL(baseUrl).origin;
    page.on('console', (message) => this.#onMessage(message));
    page.on('pageerror', (error) => this.#faults.push(`error: ${error.message}`));
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      this.#requests.push(`${request.method()} ${request.url().slice(own.length)}`);
      if (origin !== own && protocol !== 'data:' && protocol !== 'blob:')
        this.#faults.push(`request to another host: ${request.url()}`);
    });
  }

  /** Errors, warnings of React, refusals of the policies, and requests to other hosts. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  /** Method and path of every request. */
  get requests(): readonly string[] {
    return this.#requests;
  }

  #onMessage(message: ConsoleMessage): void {
    const text = message.text();
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (!OF_STATUS.test(text)) this.#faults.push(`${message.type()}: ${text}`);
  }
}
