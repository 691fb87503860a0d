import type { Key, ReactNode } from 'react';
import { Fragment, jsx as plainJsx, jsxs as plainJsxs, type JSX } from 'react/jsx-runtime';
import { hasHidden, piecesOf, withMarks, type Piece } from './hidden-characters.js';
import './hidden-characters.css';

/*
 * What JSX of the console compiles to. Every text of a page passes here, so that a character that hides or turns what stands beside it is
 * visible on all screens, and none has to ask for it.
 */

export { Fragment, type JSX };

type Props = Readonly<Record<string, unknown>>;

/** Elements whose content is text and nothing else. */
const TEXT_ONLY: ReadonlySet<unknown> = new Set(['option', 'title', 'textarea', 'text', 'tspan']);
const ATTRIBUTES = ['title', 'aria-label', 'alt', 'placeholder'] as const;

export const jsx: typeof plainJsx = (type, props, key) => plainJsx(type, visible(type, props), key);
export const jsxs: typeof plainJsxs = (type, props, key) => plainJsxs(type, visible(type, props), key);

/** The same properties, unless a text among them has something to mark. */
function visible(type: unknown, given: unknown): Props {
  const props = given as Props;
  const { children } = props;
  const drawn = drawnBy(children, TEXT_ONLY.has(type));
  const marked = drawn === children ? props : { ...props, children: drawn };
  // Properties of our own components reach an element further down.
  return typeof type === 'function' ? marked : withMarkedAttributes(marked);
}

function withMarkedAttributes(props: Props): Props {
  let marked = props;
  for (const name of ATTRIBUTES) {
    const text = props[name];
    if (typeof text === 'string' && hasHidden(text)) marked = { ...marked, [name]: withMarks(text) };
  }
  return marked;
}

function drawnBy(children: unknown, isTextOnly: boolean): unknown {
  if (typeof children === 'string') {
    if (!hasHidden(children)) return children;
    return isTextOnly ? withMarks(children) : draw(children);
  }
  if (!Array.isArray(children)) return children;
  let changed: unknown[] | undefined;
  for (const [at, child] of children.entries()) {
    const drawn = drawnBy(child, isTextOnly);
    if (drawn !== child) (changed ??= [...(children as unknown[])])[at] = drawn;
  }
  return changed ?? children;
}

const draw = (text: string): ReactNode =>
  plainJsxs(Fragment, { children: piecesOf(text).map((piece, at) => drawPiece(piece, at)) });

/** The characters stay in the page, so that a copy is the text that was sent. */
function drawPiece(piece: Piece, key: Key): ReactNode {
  switch (piece.kind) {
    case 'text':
      return piece.text;
    case 'rest':
      return plainJsx('bdi', { className: 'hidden-rest', children: piece.text }, key);
    case 'hidden':
      return plainJsx('span', { ...marking(piece.label), children: piece.text }, key);
    case 'direction':
      // It keeps its effect within the text.
      return plainJsxs(Fragment, { children: [plainJsx('span', marking(piece.label)), piece.text] }, key);
  }
}

const marking = (label: string) => ({ className: 'hidden-character', 'data-mark': label });
