/** How long a project counts as one with heavy queries after it has had one, in milliseconds. */
const REMEMBERED_MS = 30_000;

/** The projects that have had a heavy query a short while ago. */
export class HeavyProjects {
  readonly #forgetting = new Map<string, NodeJS.Timeout>();

  add(projectId: string): void {
    clearTimeout(this.#forgetting.get(projectId));
    const timer = setTimeout(() => this.#forgetting.delete(projectId), REMEMBERED_MS).unref();
    this.#forgetting.set(projectId, timer);
  }

  has(projectId: string): boolean {
    return this.#forgetting.has(projectId);
  }
}
