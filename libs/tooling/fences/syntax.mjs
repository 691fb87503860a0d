// Fences that look into files: which texts and interfaces a room may have.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const ts = createRequire(import.meta.url)('typescript');

const STORE = 'libs/event-store/src';
const MAX_METHODS = 12;

/** Which files a fence is about, which of their nodes are refused, and why. */
const FENCES = [
  {
    in: new RegExp(`^${STORE}/sql/(?:filter|read)/(?!rows/visible\\.ts$).*(?<!\\.test)\\.ts$`),
    refuses: (node) =>
      (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node)) &&
      /\bFINAL\b/.test(node.text),
    reason: 'only read/rows/visible.ts knows how the engine chooses the newest version of a row',
  },
  {
    in: new RegExp(`^${STORE}/[^/]*-port\\.ts$`),
    refuses: (node) =>
      ts.isInterfaceDeclaration(node) && node.name.text.endsWith('Port') && node.members.length > MAX_METHODS,
    reason: `a port has at most ${MAX_METHODS} methods: look for a noun for some of them (ADR 069)`,
  },
];

/** Returns a line for each refused node of a file: where it is, and why. */
export function refusedSyntax(path, text) {
  const fences = FENCES.filter((fence) => fence.in.test(path));
  if (fences.length === 0) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = [];
  const visit = (node) => {
    for (const { refuses, reason } of fences)
      if (refuses(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
        found.push(`${path}:${line + 1}: ${reason}`);
      }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns what the files below the root have that a fence refuses. */
export function refusedInSources(root) {
  const paths = readdirSync(`${root}/${STORE}`, { recursive: true }).map((name) => `${STORE}/${name}`);
  return paths
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => refusedSyntax(path, readFileSync(`${root}/${path}`, 'utf8')));
}
