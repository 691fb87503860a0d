import type { BrowserContext, ConsoleMessage } from 'playwright-core';

/** Chromium reports every response of 400 and above; a test that provokes one says so in its own assertions. */
const OF_STATUS = /^Failed to load resource: the server responded with a status of (\d+)/;
/** Refusals of the content policy and of Trusted Types, in words that do not depend on the version of the browser. */
const REPORT_POLICY = `addEventListener('securitypolicyviolation', (event) =>
  console.error('policy violated: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample));`;

/** Faults of all pages of the test file that no check has taken. */
const untaken: string[] = [];

/** Returns the faults since it was last called, of every page that the test file has opened. */
export function takeFaults(): readonly string[] {
  return untaken.splice(0);
}

/** Records what no page of the console may do, in all of its life, for every page and worker of a profile. */
export class Gates {
  readonly #faults: string[] = [];
  readonly #requests: string[] = [];
  readonly #provoked: RegExp[] = [];

  private constructor(context: BrowserContext, baseUrl: string) {
    const own = new URL(baseUrl).origin;
    context.on('console', (message) => this.#onMessage(message));
    context.on('weberror', (error) => this.#add(`error: ${error.error().message}`));
    context.on('request', (request) => {
      const { origin, protocol } = new URL(request.url());
      this.#requests.push(`${request.method()} ${request.url().slice(own.length)}`);
      if (origin !== own && protocol !== 'data:' && protocol !== 'blob:')
        this.#add(`request to another host: ${request.url()}`);
    });
  }

  /** Watches a profile, before it has a page. */
  static async of(context: BrowserContext, baseUrl: string): Promise<Gates> {
    await context.addInitScript({ content: REPORT_POLICY });
    return new Gates(context, baseUrl);
  }

  /** Errors, warnings of React, refusals of the policies, and requests to other hosts. */
  get faults(): readonly string[] {
    return this.#faults;
  }

  /** Method and path of every request. */
  get requests(): readonly string[] {
    return this.#requests;
  }

  /** From now on, messages that match are no faults: the test provokes them. */
  provoke(message: RegExp): void {
    this.#provoked.push(message);
  }

  #onMessage(message: ConsoleMessage): void {
    const text = message.text();
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    if (!OF_STATUS.test(text)) this.#add(`${message.type()}: ${text}`);
  }

  #add(fault: string): void {
    if (this.#provoked.some((message) => message.test(fault))) return;
    this.#faults.push(fault);
    untaken.push(fault);
  }
}
