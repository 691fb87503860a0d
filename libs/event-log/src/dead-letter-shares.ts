/** Letters and bytes of their records. */
export interface DeadLetterAmount {
  readonly letters: number;
  readonly bytes: number;
}

export interface DeadLetterLimits {
  /** Maximum of one project. */
  readonly perProject: DeadLetterAmount;
  /** Maximum of all projects. */
  readonly total: DeadLetterAmount;
}

const MB = 1024 * 1024;

export const DEAD_LETTER_LIMITS: DeadLetterLimits = {
  perProject: { letters: 10_000, bytes: 256 * MB },
  total: { letters: 100_000, bytes: 1024 * MB },
};

const NOTHING: DeadLetterAmount = { letters: 0, bytes: 0 };

/**
 * Shares of the projects in the stored dead letters. A project may hold at most its maximum, and at most as much as is
 * free: one project fills at most half, two fill a third each, and there is always room for another one (dynamic
 * thresholds; Choudhury and Hahne 1998).
 */
export class DeadLetterShares {
  readonly #byProject = new Map<string, DeadLetterAmount>();
  #total = NOTHING;

  constructor(private readonly limits: DeadLetterLimits = DEAD_LETTER_LIMITS) {}

  /** Adds a letter of a project, unless its share is full. Returns whether it was added. */
  reserve(project: string, bytes: number): boolean {
    const { perProject, total } = this.limits;
    const held = this.#byProject.get(project) ?? NOTHING;
    const letters = Math.min(perProject.letters, total.letters - this.#total.letters);
    const room = Math.min(perProject.bytes, total.bytes - this.#total.bytes);
    if (held.letters >= letters || held.bytes + bytes > room) return false;
    this.add(project, bytes);
    return true;
  }

  /** Adds a letter that is stored already. */
  add(project: string, bytes: number): void {
    this.#change(project, { letters: 1, bytes });
  }

  /** Removes a letter. */
  remove(project: string, bytes: number): void {
    this.#change(project, { letters: -1, bytes: -bytes });
  }

  #change(project: string, by: DeadLetterAmount): void {
    const held = sum(this.#byProject.get(project) ?? NOTHING, by);
    if (held.letters <= 0) this.#byProject.delete(project);
    else this.#byProject.set(project, held);
    this.#total = sum(this.#total, by);
  }
}

function sum(a: DeadLetterAmount, b: DeadLetterAmount): DeadLetterAmount {
  return { letters: a.letters + b.letters, bytes: a.bytes + b.bytes };
}
