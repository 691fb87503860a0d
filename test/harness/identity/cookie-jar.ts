/** The cookies of a browser at one host. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** The header `Cookie` of the next request. */
  header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Keeps what a response sets, and forgets what it clears. */
  take(response: Response): void {
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '' || /max-age=0\b/i.test(set)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
