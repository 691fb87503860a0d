import { COMMANDS, type Command, type CommandId } from './commands.js';

/** A pressed key, as an event of the keyboard has it. */
export interface Stroke {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Returns how the table spells a key. */
export function strokeText({ key, ctrlKey, metaKey, altKey }: Stroke): string | undefined {
  if (altKey) return undefined;
  return ctrlKey || metaKey ? `Mod+${key.toLowerCase()}` : key;
}

/** The commands whose keys others have where these can run. They stay in the palette. */
export function takenCommands(active: Iterable<CommandId>): ReadonlySet<string> {
  return new Set([...active].flatMap((id) => (COMMANDS[id] as Command).takes ?? []));
}

/**
 * Finds the command of a key among those that can run now.
 * @param before the key before this one, when it was the first of two
 * @returns the command; `first` when the key begins a sequence; undefined for another key
 */
export function matchKeys(
  active: readonly CommandId[],
  text: string,
  before: string | undefined,
): CommandId | 'first' | undefined {
  const wanted = before === undefined ? text : `${before} ${text}`;
  const taken = takenCommands(active);
  let begins = false;
  for (const id of active) {
    const { keys }: Command = COMMANDS[id];
    if (taken.has(id)) continue;
    if (keys.includes(wanted)) return id;
    begins ||= before === undefined && keys.some((key) => key.startsWith(`${text} `));
  }
  return begins ? 'first' : undefined;
}
