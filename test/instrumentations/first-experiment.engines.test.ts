import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '../harness/stack/repository.js';
import { snippetsOf } from './documents/snippets.js';
import { pythonWith } from './packages/client-packages.js';
import { playPrograms } from './scene/play.js';
import type { FoundEvent, SceneOutcome } from './scene/programs.js';

/** Separates what the blocks print. */
const MARK = '--- end of the block ---';
/** The command line of the repository from any folder. */
const COMMAND_LINE = `npx() { (cd "${repository}" && command npx "$@"); }`;
/** The address and the key are those of the product that the test starts. */
const VARIABLES = /^export ASSAY_(?:URL|API_KEY)=.*$/gm;
/** The page has `…` in place of an id. */
const ID = /\b[0-9a-f]{24}\b/g;
const snippets = snippetsOf(join(repository, 'docs/experiments.md'));

/** The commands of the page, each with the output that the page shows, if it shows one. */
const commands = snippets.flatMap(({ language, text }, index) => {
  const next = snippets[index + 1];
  return language === 'sh' ? [{ text, output: next?.language === 'text' ? next.text : undefined }] : [];
});

describe('docs/experiments.md, from the top in one shell', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assay-experiment-'));
  let outcome: SceneOutcome;
  let printed: readonly string[];
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  beforeAll(async () => {
    for (const { name, text } of snippets) if (name !== '') writeFileSync(join(dir, name), text);
    const python = dirname(await pythonWith('public-client'));
    const blocks = commands.map(({ text }) => `${text.replaceAll(VARIABLES, '')}\necho '${MARK}'`);
    const script = [`cd "${dir}"; PATH="${python}:$PATH"`, COMMAND_LINE, ...blocks].join('\n');
    const program = { file: 'bash', args: ['-euo', 'pipefail', '-c', script] };
    outcome = await playPrograms({ programs: [program], programWithinMs: 180_000 });
    printed = (outcome.ends[0]?.stdout ?? '').split(`${MARK}\n`);
  }, 900_000);

  it('has commands that all succeed', () => {
    expect(outcome.ends).toMatchObject([{ status: 0, stderr: '' }]);
    expect(printed).toHaveLength(commands.length + 1);
  });

  it('shows what the commands print', () => {
    const withOutput = commands.flatMap((command, index) =>
      command.output === undefined ? [] : [{ ...command, printed: printed[index]?.replaceAll(ID, '…') }],
    );
    expect(withOutput.length).toBeGreaterThan(5);
    for (const one of withOutput) expect(one).toEqual({ ...one, printed: one.output });
  });

  it('leaves four runs with a scored datapoint for each message, two of them of the public client', () => {
    const scored = outcome.events.filter(({ metrics }) => 'correct' in metrics);
    const runs = new Map<unknown, FoundEvent[]>();
    for (const event of scored)
      runs.set(event.metadata.run_id, [...(runs.get(event.metadata.run_id) ?? []), event]);
    const numbers = [...runs.values()].map((events) => ({
      type: events[0]?.event_type,
      datapoints: new Set(events.map(({ metadata }) => metadata.datapoint_id)).size,
      correct: events.filter(({ metrics }) => metrics.correct).length,
    }));
    const of = (type: string) => numbers.filter((run) => run.type === type).map(({ correct }) => correct);
    expect(numbers.map(({ datapoints }) => datapoints)).toEqual([12, 12, 12, 12]);
    expect([of('session').sort(), of('chain').sort()]).toEqual([
      [11, 5],
      [11, 5],
    ]);
  });
});
