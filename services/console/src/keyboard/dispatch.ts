import { useEffect, useRef, useSyncExternalStore } from 'react';
import { matchKeys, strokeText } from './match-keys.js';
import type { CommandId } from './commands.js';

export type Handler = () => void;
export type Handlers = { readonly [Id in CommandId]?: Handler | undefined };

/** The handlers of what is on the screen. Those that were registered last come first. */
let layers: readonly Handlers[] = [];
const listeners = new Set<() => void>();
let snapshot: readonly CommandId[] = [];

/** Time in which the second key of two has to follow. */
const SEQUENCE_MS = 1_500;
/** Keys that work over a dialog. */
const OF_DIALOGS: ReadonlySet<string> = new Set(['Mod+k']);
/** Keys that belong to a text while a person types there. */
const EDITS_TEXT: ReadonlySet<string> = new Set(['Mod+z']);
let pending: { readonly key: string; readonly untilMs: number } | undefined;
let letters = true;

/** Registers handlers while the component is on the screen. */
export function useCommands(handlers: Handlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  const names = Object.keys(handlers)
    .filter((id) => handlers[id as CommandId] !== undefined)
    .join(' ');
  useEffect(() => {
    const layer = Object.fromEntries(
      names
        .split(' ')
        .filter(Boolean)
        .map((id) => [id, () => latest.current[id as CommandId]?.()]),
    ) as Handlers;
    change([layer, ...layers]);
    return () => change(layers.filter((one) => one !== layer));
  }, [names]);
}

/** The commands that have a handler now, in the order of the table of the newest layer first. */
export const useActiveCommands = () =>
  useSyncExternalStore(
    (listener) => (listeners.add(listener), () => listeners.delete(listener)),
    () => snapshot,
  );

export function runCommand(id: CommandId): void {
  layers.find((layer) => layer[id] !== undefined)?.[id]?.();
}

/** Whether keys without a modifier run commands; people who speak to their computer switch them off. */
export function setSingleKeys(areOn: boolean): void {
  letters = areOn;
}

/** Listens for keys on the window. Returns how to stop. */
export function listenForKeys(): () => void {
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}

function onKeyDown(event: KeyboardEvent): void {
  const text = strokeText(event);
  if (text === undefined || event.defaultPrevented || event.isComposing) return;
  // Within a shadow root, such as that of the editor, the target is its host.
  if (belongsElsewhere(text, event.composedPath()[0] ?? null)) return;
  const before = pending !== undefined && performance.now() < pending.untilMs ? pending.key : undefined;
  const id = matchKeys(snapshot, text, before);
  pending = id === 'first' ? { key: text, untilMs: performance.now() + SEQUENCE_MS } : undefined;
  if (id === undefined || id === 'first') return;
  event.preventDefault();
  runCommand(id);
}

/** Whether a key is for a dialog, or for the text that a person types. */
function belongsElsewhere(text: string, target: EventTarget | null): boolean {
  if (isDialogOpen() && !OF_DIALOGS.has(text)) return true;
  const runsWhileTyping = text.startsWith('Mod+') && !EDITS_TEXT.has(text);
  return !runsWhileTyping && ((!letters && !text.startsWith('Mod+')) || isTyping(target));
}

/** Keys that a control uses are not commands. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)) return true;
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type);
}

const isDialogOpen = () =>
  document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null;

function change(next: readonly Handlers[]): void {
  layers = next;
  snapshot = [...new Set(layers.flatMap((layer) => Object.keys(layer) as CommandId[]))];
  for (const listener of listeners) listener();
}
