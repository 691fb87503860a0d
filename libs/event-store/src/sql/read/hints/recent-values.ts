/**
 * The values that were set last, by project and name, up to a number of them. Beyond it the oldest one of the project with the most
 * values is evicted, so that a project cannot evict those of others that have fewer.
 */
export class RecentValues<Value> {
  readonly #byProject = new Map<string, Map<string, Value>>();
  #count = 0;

  constructor(private readonly capacity: number) {}

  get(projectId: string, name: string): Value | undefined {
    return this.#byProject.get(projectId)?.get(name);
  }

  delete(projectId: string, name: string): void {
    const values = this.#byProject.get(projectId);
    if (!values?.delete(name)) return;
    this.#count--;
    if (values.size === 0) this.#byProject.delete(projectId);
  }

  set(projectId: string, name: string, value: Value): void {
    this.delete(projectId, name);
    const values = this.#byProject.get(projectId) ?? new Map<string, Value>();
    this.#byProject.set(projectId, values.set(name, value));
    this.#count++;
    if (this.#count > this.capacity) this.#evictOne();
  }

  clear(): void {
    this.#byProject.clear();
    this.#count = 0;
  }

  #evictOne(): void {
    let [most, ofMost] = ['', 0];
    for (const [projectId, { size }] of this.#byProject)
      if (size > ofMost) [most, ofMost] = [projectId, size];
    const [oldest] = this.#byProject.get(most)?.keys() ?? [];
    if (oldest !== undefined) this.delete(most, oldest);
  }
}
