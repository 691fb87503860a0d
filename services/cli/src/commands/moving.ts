import { InvalidArgumentError, type Command } from 'commander';
import type { Output } from '../output.js';
import { exportProject, prepareFolder } from '../moving/export-project.js';
import { withFolderLock } from '../moving/folder-lock.js';
import { importFolder } from '../moving/import-folder.js';
import { Project } from '../moving/project.js';
import { checkFolder } from '../moving/read-folder.js';
import { verifyFolder } from '../moving/verify-folder.js';
import type { CommandContext } from './command-context.js';

const DEFAULT_FILE_BYTES = 64 * 1024 * 1024;
const MIN_FILE_BYTES = 1_024;
const PROGRESS_EVERY_MS = 1_000;

interface ProjectOption {
  readonly project?: string;
}

const OF_KEY = ['--project <name-or-id>', 'the project of the key, to be sure that it is this one'] as const;

/** Adds the commands that move a project between installations. */
export function addMoving(program: Command, context: CommandContext): void {
  program
    .command('export <project> <dir>')
    .description('writes a project into a folder, or continues an interrupted export (needs ASSAY_API_KEY)')
    .option('--file-bytes <bytes>', 'about how large a file becomes', readBytes, DEFAULT_FILE_BYTES)
    .action((project: string, dir: string, { fileBytes }: { fileBytes: number }) =>
      exportTo(context, { expected: project, dir, fileBytes }),
    );
  program
    .command('import <dir>')
    .description('adds what a project lacks of an export; repeating it changes nothing (needs ASSAY_API_KEY)')
    .option(...OF_KEY)
    .action((dir: string, { project }: ProjectOption) => importFrom(context, dir, project));
  program
    .command('verify <dir>')
    .description('compares an export with a project and prints the differences (needs ASSAY_API_KEY)')
    .option(...OF_KEY)
    .action((dir: string, { project }: ProjectOption) => verifyWith(context, dir, project));
}

async function exportTo(
  { api, output }: CommandContext,
  {
    expected,
    dir,
    fileBytes,
  }: { readonly expected: string; readonly dir: string; readonly fileBytes: number },
): Promise<void> {
  const project = new Project(api(), output);
  prepareFolder(dir);
  const options = { dir, project, expected, maxFileBytes: fileBytes, output: sparing(output) };
  const { counts, files } = await withFolderLock(dir, () => exportProject(options));
  output.result({ counts, files: files.length }, () => [
    ...Object.entries(counts).map(([kind, count]) => `${count} ${kind}`),
    `in ${files.length} files, complete`,
  ]);
}

async function importFrom({ api, output }: CommandContext, dir: string, expected?: string): Promise<void> {
  const project = new Project(api(), output);
  const folder = await checkFolder(dir);
  await project.identify(expected);
  const imported = await withFolderLock(dir, () => importFolder(folder, project, sparing(output)));
  output.result(imported, () =>
    Object.entries(imported).map(
      ([kind, { added, present }]) =>
        `added ${added} ${kind}${present > 0 ? `, ${present} were there already` : ''}`,
    ),
  );
}

async function verifyWith(context: CommandContext, dir: string, expected?: string): Promise<void> {
  const { api, output, exitWith } = context;
  const project = new Project(api(), output);
  const folder = await checkFolder(dir);
  await project.identify(expected);
  const comparison = await verifyFolder(folder, project, output);
  const { compared, differences } = comparison;
  if (differences > 0) exitWith(1);
  output.result(comparison, () => [`${compared} compared, ${differences} differences`]);
}

/** Reports progress once a second. */
function sparing(output: Output): Output {
  let printed = Date.now();
  return {
    ...output,
    progress: (text) => {
      if (Date.now() - printed < PROGRESS_EVERY_MS) return;
      printed = Date.now();
      output.progress(text);
    },
  };
}

function readBytes(text: string): number {
  const bytes = Number(text);
  if (!Number.isSafeInteger(bytes) || bytes < MIN_FILE_BYTES)
    throw new InvalidArgumentError(`must be an integer from ${MIN_FILE_BYTES}.`);
  return bytes;
}
