/** Gives each consumer group's partition to one consumer at a time, in the order in which they asked. */
export class GroupTurns {
  /** For each group, the end of the queue of its consumers. */
  private readonly last = new Map<string, Promise<void>>();

  /** Resolves when no other consumer of the group has the partition. Call the result to release it. */
  async take(group: string): Promise<() => void> {
    const before = this.last.get(group) ?? Promise.resolve();
    let handOn = (): void => undefined;
    this.last.set(group, new Promise<void>((resolve) => (handOn = resolve)));
    await before;
    return handOn;
  }
}
