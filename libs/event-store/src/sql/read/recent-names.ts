/** The names that were added last, up to a number of them. */
export class RecentNames {
  readonly #names = new Set<string>();

  constructor(private readonly capacity: number) {}

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    this.#names.delete(name);
    this.#names.add(name);
    const [oldest] = this.#names;
    if (this.#names.size > this.capacity && oldest !== undefined) this.#names.delete(oldest);
  }
}
