// Finds the sentences and the declared names of a file: what a reader reads, without the code around it.
import { createRequire } from 'node:module';

const ts = createRequire(import.meta.url)('typescript');

/** A piece of text at a line of a file. */
/** @typedef {{ line: number, text: string }} Passage */

/** @returns {{ prose: Passage[], names: Passage[] }} */
export function readProse(path, text) {
  if (/\.(?:tsx?|mjs|cjs)$/.test(path)) return readScript(path, text);
  if (path.endsWith('.md')) return { prose: markdownPassages(text), names: [] };
  if (/\.(?:css|html)$/.test(path)) return { prose: blockComments(text), names: [] };
  return { prose: lineComments(text), names: [] };
}

function readScript(path, text) {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const lineAt = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  const prose = commentsOf(source, text).map(([start, comment]) => ({ line: lineAt(start), text: comment }));
  const names = [];
  const visit = (node) => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      if (/\s/.test(node.text)) prose.push({ line: lineAt(node.getStart(source)), text: node.text });
    if (ts.isJsxText(node) && /\S\s+\S/.test(node.text))
      prose.push({ line: lineAt(node.getStart(source)), text: node.text.replace(/\s+/g, ' ') });
    if (isDeclaredName(node)) names.push({ line: lineAt(node.getStart(source)), text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { prose, names };
}

/** Comments, found between tokens so that a string that looks like one does not count. */
function commentsOf(source, text) {
  const found = new Map();
  const visit = (node) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.end) ?? []),
    ];
    for (const { pos, end } of ranges) found.set(pos, withoutCode(text.slice(pos, end)));
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  return joinLines([...found].sort(([a], [b]) => a - b));
}

/** Line comments below each other are one text: a phrase may wrap. */
function joinLines(comments) {
  return comments.map(([start, comment], index) => {
    const next = comments[index + 1]?.[1];
    const isLine = comment.startsWith('//') && next?.startsWith('//');
    const text = isLine ? `${comment} ${next.split(' ').slice(0, 4).join(' ')}` : comment;
    return [start, text.replace(/\n\s*\*?|\/\//g, ' ')];
  });
}

/** A name that this file gives to a variable, function, type, parameter or property; not the key of an object literal. */
function isDeclaredName(node) {
  if (!ts.isIdentifier(node)) return false;
  const { parent } = node;
  const declares =
    ts.isVariableDeclaration(parent) ||
    ts.isParameter(parent) ||
    ts.isFunctionDeclaration(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isClassDeclaration(parent) ||
    ts.isInterfaceDeclaration(parent) ||
    ts.isTypeAliasDeclaration(parent) ||
    ts.isBindingElement(parent);
  return declares && parent.name === node;
}

/** Paragraphs of Markdown without fenced code, inline code and addresses. */
function markdownPassages(text) {
  const passages = [];
  let inFence = false;
  let current;
  text.split('\n').forEach((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) inFence = !inFence;
    if (inFence || line.trim() === '') return void (current = undefined);
    if (!current) passages.push((current = { line: index + 1, text: '' }));
    current.text += ` ${withoutCode(line)}`;
  });
  return passages;
}

/** Comments of style sheets and pages. */
function blockComments(text) {
  return [...text.matchAll(/\/\*([\s\S]*?)\*\/|<!--([\s\S]*?)-->/g)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    text: (match[1] ?? match[2]).replace(/\s+/g, ' '),
  }));
}

/** Comments of shell, Python, Go and YAML. */
function lineComments(text) {
  return text.split('\n').flatMap((line, index) => {
    const comment = /(?:^|\s)(?:#|\/\/) (.*)$/.exec(line)?.[1];
    return comment === undefined ? [] : [{ line: index + 1, text: comment }];
  });
}

function withoutCode(text) {
  return text.replace(/`[^`\n]*`/g, '`').replace(/\]\([^)]*\)/g, ']');
}
