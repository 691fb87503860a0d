const MAX_NODES = 1_000;
const MAX_CHARACTERS = 65_536;

/** Whether data is too large to share a message with others. Reads a bounded part of it. */
export function isLarge(data: object): boolean {
  let [nodes, characters] = [0, 0];
  const pending: unknown[] = [data];
  while (pending.length > 0) {
    const value = pending.pop();
    if (++nodes + pending.length > MAX_NODES || characters > MAX_CHARACTERS) return true;
    if (typeof value === 'string') characters += value.length;
    else if (typeof value === 'object' && value !== null) characters += addItems(value, pending);
  }
  return characters > MAX_CHARACTERS;
}

/** Adds the items of an object, not many more than the maximum. Returns the length of their keys. */
function addItems(value: object, pending: unknown[]): number {
  let characters = 0;
  // The keys of a wide object are not listed before it counts as large.
  for (const key in value) {
    if (pending.length > MAX_NODES) break;
    characters += key.length;
    pending.push(value[key as keyof typeof value]);
  }
  return characters;
}
