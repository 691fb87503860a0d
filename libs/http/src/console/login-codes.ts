import { randomBytes } from 'node:crypto';

/** How long a code can be used, in milliseconds. */
export const CODE_MS = 10 * 60_000;
const CODE_BYTES = 24;
const MAX_CODES = 1_000;
const MAX_CODES_OF_PROJECT = 20;

/** What a code stands for. */
interface PendingLogin {
  readonly projectId: string;
  readonly expiresAt: number;
  /** Returns the key that the code signs in with. */
  readonly key: () => Promise<string>;
}

/** One-time codes of links that sign in, in memory only: they end with the process. */
export class LoginCodes {
  readonly #logins = new Map<string, PendingLogin>();

  /** @param now Unix milliseconds */
  constructor(private readonly now: () => number) {}

  /** Returns a new code. Of more than 20 in a project, or 1,000 in all, the oldest ends. */
  create(projectId: string, key: () => Promise<string>): string {
    this.#forgetEnded();
    const ofProject = [...this.#logins].filter(([, login]) => login.projectId === projectId);
    if (ofProject.length >= MAX_CODES_OF_PROJECT) this.#forget(ofProject[0]?.[0]);
    if (this.#logins.size >= MAX_CODES) this.#forget(this.#logins.keys().next().value);
    const code = randomBytes(CODE_BYTES).toString('base64url');
    this.#logins.set(code, { projectId, expiresAt: this.now() + CODE_MS, key });
    return code;
  }

  /** Returns the key of a code, which ends by that; undefined for one that is unknown, used or too old. A failure leaves it usable. */
  async take(code: string): Promise<string | undefined> {
    this.#forgetEnded();
    const login = this.#logins.get(code);
    if (login === undefined) return undefined;
    this.#logins.delete(code);
    try {
      return await login.key();
    } catch (error) {
      this.#logins.set(code, login);
      throw error;
    }
  }

  #forgetEnded(): void {
    const now = this.now();
    for (const [code, { expiresAt }] of this.#logins) if (expiresAt <= now) this.#logins.delete(code);
  }

  #forget(code: string | undefined): void {
    if (code !== undefined) this.#logins.delete(code);
  }
}
