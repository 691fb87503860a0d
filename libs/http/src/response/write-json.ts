import type { ScheduledTask } from '../scheduling/scheduled-task.js';
import { EncodedJson, isPages, type Pages } from './json-stream.js';

/** Takes texts that follow each other in a response. Returns a promise that resolves when it accepts more, if it does not yet. */
export type WriteText = (...texts: readonly string[]) => Promise<void> | undefined;

/** Where the text goes, and the task whose share of the event loop the encoding uses. */
interface Target {
  readonly write: WriteText;
  readonly task: Pick<ScheduledTask, 'resume' | 'endSlice' | 'yieldToEventLoop'>;
}

/**
 * Encodes a list, or an object with lists, as `JSON.stringify` would. Lists are encoded one item at a time, in slices of
 * the task, and other requests run in between. Rejects with what reading a page, deriving an item or `write` throws.
 */
export async function writeJson(content: unknown, target: Target): Promise<void> {
  await target.task.resume();
  try {
    if (isList(content)) await writeList(content, target);
    else await writeObject(content as object, target);
  } finally {
    target.task.endSlice();
  }
}

/** Encodes the items of pages, one per line. As {@link writeJson} otherwise. */
export async function writeLines(pages: Pages<unknown>, target: Target): Promise<void> {
  for await (const page of pages) {
    await target.task.resume();
    try {
      await writeLinesOf(page, target);
    } finally {
      target.task.endSlice();
    }
  }
}

async function writeLinesOf(items: Iterable<unknown>, target: Target): Promise<void> {
  for (const item of items) {
    const accepted = target.write(...textsOf(item).map(withoutLineEnds), '\n');
    if (accepted) await outsideSlice(accepted, target);
    const turn = target.task.yieldToEventLoop();
    if (turn) await turn;
  }
}

/** Characters that some readers take for the end of a line, and that JSON does not escape. They only occur within texts. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;

function withoutLineEnds(text: string): string {
  return text.replace(LINE_ENDS, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

async function writeObject(content: object, target: Target): Promise<void> {
  let separator = '{';
  for (const [name, value] of Object.entries(content)) {
    if (value === undefined) continue;
    await emit(`${separator}${JSON.stringify(name)}:`, target);
    if (isList(value)) await writeList(value, target);
    else await emit(JSON.stringify(value), target);
    separator = ',';
  }
  await emit(separator === '{' ? '{}' : '}', target);
}

async function writeList(list: unknown, target: Target): Promise<void> {
  let separator = '[';
  const writeItems = async (items: Iterable<unknown>) => {
    for (const item of items) {
      const accepted = target.write(separator, ...textsOf(item));
      if (accepted) await outsideSlice(accepted, target);
      const turn = target.task.yieldToEventLoop();
      if (turn) await turn;
      separator = ',';
    }
  };
  if (isPages(list)) {
    target.task.endSlice();
    for await (const page of list) {
      await target.task.resume();
      await writeItems(page);
      target.task.endSlice();
    }
    await target.task.resume();
  } else await writeItems(list as Iterable<unknown>);
  await emit(separator === '[' ? '[]' : ']', target);
}

/** What JSON cannot hold is null in a list. */
function textsOf(item: unknown): readonly string[] {
  return item instanceof EncodedJson ? item.texts : [JSON.stringify(item) ?? 'null'];
}

async function emit(text: string, target: Target): Promise<void> {
  const accepted = target.write(text);
  if (accepted) await outsideSlice(accepted, target);
}

/** Waits for the client without counting the wait as work. */
async function outsideSlice(accepted: Promise<void>, { task }: Target): Promise<void> {
  task.endSlice();
  await accepted;
  await task.resume();
}

/** Strings are iterable too, and are no lists. */
function isList(value: unknown): boolean {
  return typeof value === 'object' && value !== null && (Symbol.iterator in value || isPages(value));
}
