// Checks the language of documents, comments, messages, test titles and names against prose/phrases.mjs, and the lines of Markdown.
//   check-prose.mjs [path...]   only files below these paths
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { longLines, MAX_MARKDOWN_LINE } from '../prose/markdown-lines.mjs';
import { FILE_NAMES, NAMES, PHRASES } from '../prose/phrases.mjs';
import { readProse } from '../prose/read-prose.mjs';
import { root } from './install.mjs';

const { pending, allowed } = JSON.parse(readFileSync(`${root}/libs/tooling/prose/allowed.json`, 'utf8'));
const CHECKED = /(?:\.(?:md|tsx?|css|html|mjs|cjs|py|go|ya?ml)|^\.ci\/run)$/;
/** Text of others, and the list of what is banned. */
const SKIPPED = /^(?:pnpm-lock\.yaml|libs\/tooling\/prose\/phrases\.mjs)$/;
const paths = process.argv.slice(2);
const isBelow = (file, folder) => file === folder || file.startsWith(`${folder.replace(/\/$/, '')}/`);

const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .stdout.split('\n')
  .filter((file) => CHECKED.test(file) && !SKIPPED.test(file) && existsSync(`${root}/${file}`))
  .filter((file) => !pending.some((folder) => isBelow(file, folder)))
  .filter((file) => paths.length === 0 || paths.some((path) => isBelow(file, path)));

const used = new Set();
const problems = files.flatMap((file) => {
  const text = readFileSync(`${root}/${file}`, 'utf8');
  const { prose, names } = readProse(file, text);
  const found = [
    ...FILE_NAMES.flatMap(([pattern, instead]) =>
      pattern.test(file) ? [{ line: 1, found: file, instead }] : [],
    ),
    ...prose.flatMap((passage) => matches(passage, PHRASES, 'i')),
    ...names.flatMap((name) => matches(name, NAMES, '')),
  ]
    .filter(({ found }) => !isAllowed(file, found))
    .map(({ line, found, instead }) => `${file}:${line}: "${found}" — write: ${instead}`);
  const long = file.endsWith('.md') ? longLines(text) : [];
  return [...found, ...long.map((line) => `${file}:${line}: longer than ${MAX_MARKDOWN_LINE} characters`)];
});

function matches({ line, text }, rules, flags) {
  return rules.flatMap(([pattern, instead]) => {
    const found = new RegExp(pattern.source, flags).exec(text);
    return found ? [{ line, found: found[0], instead }] : [];
  });
}

function isAllowed(file, found) {
  const entry = allowed.find((one) => one.file === file && one.phrase.toLowerCase() === found.toLowerCase());
  if (entry) used.add(entry);
  return entry !== undefined;
}

const stale = paths.length > 0 ? [] : allowed.filter((entry) => !used.has(entry));
for (const { file, phrase } of stale) problems.push(`prose/allowed.json: ${file} no longer has "${phrase}"`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (pending.length > 0) process.stderr.write(`not checked yet: ${pending.join(', ')}\n`);
process.exit(problems.length === 0 ? 0 : 1);
