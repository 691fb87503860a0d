import type { DeadLetterResponse } from '@assay/contracts';
import { InvalidArgumentError, type Command } from 'commander';
import { CliError } from '../cli-error.js';
import { table } from '../output.js';
import type { CommandContext } from './command-context.js';

const PATH = '/v1/dead-letters';
const as = 'administrator';
/** Letters of one request, so that progress shows. */
const BATCH_SIZE = 500;
const DEFAULT_LIMIT = 10_000;

interface Filter {
  readonly group?: string;
  readonly errorClass?: string;
  readonly project?: string;
}

interface Selection extends Filter {
  readonly all?: boolean;
  readonly limit: number;
}

interface Page {
  readonly dead_letters: DeadLetterResponse[];
  readonly next_cursor: string | null;
}

export function addDeadLetters(program: Command, context: CommandContext): void {
  const letters = program
    .command('dead-letters')
    .description('records that failed permanently (needs ASSAY_ADMIN_TOKEN)');
  addList(letters, context);
  letters
    .command('show <id>')
    .description('shows origin and reason of one dead letter, without its content')
    .action(async (id: string) => {
      const { api, output } = context;
      const letter = await api().call<DeadLetterResponse>({ path: `${PATH}/${encodeURIComponent(id)}`, as });
      output.result(letter, () => table(['FIELD', 'VALUE'], Object.entries(letter)));
    });
  addChange(letters, context, 'replay');
  addChange(letters, context, 'delete');
}

function addList(letters: Command, { api, output }: CommandContext): void {
  withFilter(letters.command('list'))
    .description('lists dead letters, oldest first')
    .option('--limit <n>', 'maximum number of letters', toLimit, 100)
    .action(async ({ limit, ...filter }: Selection) => {
      const found: DeadLetterResponse[] = [];
      let cursor: string | null | undefined;
      do {
        const query = { ...toFields(filter), limit: Math.min(BATCH_SIZE, limit - found.length), cursor };
        const page: Page = await api().call<Page>({
          path: PATH,
          query: { ...query, cursor: cursor ?? undefined },
          as,
        });
        found.push(...page.dead_letters);
        cursor = page.next_cursor;
        if (cursor !== null && found.length < limit) output.progress(`read ${found.length} dead letters`);
      } while (cursor !== null && found.length < limit);
      const rows = found.map((letter) => [
        letter.id,
        letter.at,
        letter.project_id,
        letter.group,
        letter.error_class,
        letter.bytes,
      ]);
      output.result(found, () => table(['ID', 'AT', 'PROJECT', 'GROUP', 'ERROR', 'BYTES'], rows));
    });
}

function addChange(letters: Command, context: CommandContext, action: 'replay' | 'delete'): void {
  const what =
    action === 'replay' ? 'replays dead letters, after their cause is fixed' : 'deletes dead letters';
  withFilter(letters.command(`${action} [ids...]`))
    .description(`${what}: by ids, by filter, or all`)
    .option('--all', 'all dead letters')
    .option('--limit <n>', 'maximum number of letters', toLimit, DEFAULT_LIMIT)
    .action(async (ids: string[], selection: Selection) => {
      const changed = await change(context, action, { ids, selection });
      const past = action === 'replay' ? 'replayed' : 'deleted';
      context.output.result({ [past]: changed }, () => [`${past} ${changed} dead letters`]);
    });
}

/** Changes letters batch by batch, until none is left or the limit is reached. */
async function change(
  { api, output }: CommandContext,
  action: 'replay' | 'delete',
  { ids, selection }: { readonly ids: readonly string[]; readonly selection: Selection },
): Promise<number> {
  const filter = toFields(selection);
  const hasFilter = Object.values(filter).some((value) => value !== undefined);
  if (ids.length === 0 && !hasFilter && selection.all !== true)
    throw new CliError('name ids, use --group, --error-class or --project, or confirm with --all');
  // A delete needs a condition; every letter has a group.
  if (action === 'delete' && ids.length === 0 && !hasFilter) return deleteAll({ api, output }, selection);
  let changed = 0;
  while (changed < selection.limit) {
    const limit = Math.min(BATCH_SIZE, selection.limit - changed);
    const body = { ...filter, ...(ids.length > 0 && { ids: [...ids] }), limit };
    const response = await api().call<{ replayed?: number; deleted?: number }>({
      method: 'POST',
      path: `${PATH}/${action}`,
      body,
      as,
    });
    const now = response.replayed ?? response.deleted ?? 0;
    changed += now;
    if (now < limit || ids.length > 0) break;
    output.progress(`${action}: ${changed} dead letters so far`);
  }
  return changed;
}

async function deleteAll(
  context: Pick<CommandContext, 'api' | 'output'>,
  { limit }: Selection,
): Promise<number> {
  let deleted = 0;
  while (deleted < limit) {
    const query = { limit: Math.min(BATCH_SIZE, limit - deleted) };
    const { dead_letters: found } = await context.api().call<Page>({ path: PATH, query, as });
    if (found.length === 0) break;
    const body = { ids: found.map(({ id }) => id), limit: found.length };
    const call = { method: 'POST', path: `${PATH}/delete`, body, as } as const;
    const response = await context.api().call<{ deleted: number }>(call);
    if (response.deleted === 0) break;
    deleted += response.deleted;
    context.output.progress(`delete: ${deleted} dead letters so far`);
  }
  return deleted;
}

function withFilter(command: Command): Command {
  return command
    .option('--group <name>', 'only of this consumer group, such as store')
    .option('--error-class <name>', 'only of this class of failure, such as EVENT_TOO_LARGE')
    .option('--project <id>', 'only of this project');
}

function toFields({ group, errorClass, project }: Filter) {
  return { group, error_class: errorClass, project_id: project };
}

function toLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100_000)
    throw new InvalidArgumentError('must be a number from 1 to 100000.');
  return limit;
}
