/** The values that were set last, by name, up to a number of them. */
export class RecentValues<Value> {
  readonly #values = new Map<string, Value>();

  constructor(private readonly capacity: number) {}

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  delete(name: string): void {
    this.#values.delete(name);
  }

  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.capacity && oldest !== undefined) this.#values.delete(oldest);
  }
}
