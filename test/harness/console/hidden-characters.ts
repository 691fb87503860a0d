import type { Page } from 'playwright-core';

const CONTROLS =
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u00ad\\u200b\\u2028-\\u202e\\u2060-\\u206f\\ufeff]';
const MARKS = '[\\u200e\\u200f\\u061c]';

/**
 * Returns the texts of a page in which a character that no reader sees has no mark, or reaches beyond the mark, and the attributes that have
 * one.
 */
export function unmarkedTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const isMarked = node.parentElement.classList.contains('hidden-character');
      const isBehindMark = node.previousSibling?.classList?.contains('hidden-character');
      if (!isMarked && /${CONTROLS}/.test(node.data)) found.push(node.parentElement.outerHTML);
      if (!isMarked && !isBehindMark && /${MARKS}/.test(node.data)) found.push(node.parentElement.outerHTML);
    }
    for (const element of document.querySelectorAll('[title], [aria-label], [placeholder], [alt]'))
      for (const { name, value } of element.attributes)
        if (name !== 'value' && /${CONTROLS}|${MARKS}/.test(value)) found.push(name + ': ' + value);
    return [...found, ...(/${CONTROLS}|${MARKS}/.test(document.title) ? [document.title] : [])];
  })()`);
}

/** Where parts of a text begin, in pixels from the left, lower lines beyond all of those above, for the first element that matches and has all of the text. */
export function drawnAt(
  page: Page,
  selector: string,
  text: string,
  characters: readonly string[],
): Promise<number[]> {
  return page.evaluate<number[], readonly unknown[]>(
    ([of, whole, parts]) => {
      type Node = { textContent: string; data: string };
      const dom = globalThis as unknown as {
        document: {
          querySelectorAll: (selector: unknown) => Iterable<Node>;
          createTreeWalker: (root: unknown, what: number) => { nextNode: () => Node | null };
          createRange: () => {
            setStart: (node: unknown, at: number) => void;
            setEnd: (node: unknown, at: number) => void;
            getBoundingClientRect: () => { left: number; top: number };
          };
        };
      };
      const element = [...dom.document.querySelectorAll(of)].find((one) =>
        one.textContent.includes(String(whole)),
      );
      return (parts as string[]).map((part) => {
        const walker = dom.document.createTreeWalker(element, 4);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const at = node.data.indexOf(part);
          if (at === -1) continue;
          const range = dom.document.createRange();
          range.setStart(node, at);
          range.setEnd(node, at + 1);
          const { left, top } = range.getBoundingClientRect();
          return left + top * 10_000;
        }
        return Number.NaN;
      });
    },
    [selector, text, characters],
  );
}
