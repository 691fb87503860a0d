import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onStack } from '../harness/stack/on-stack.js';
import { repository } from '../harness/stack/repository.js';
import { startStandalone } from '../harness/stack/start-standalone.js';
import { snippetsOf } from './documents/snippets.js';
import { pythonOfMetrics } from './packages/client-packages.js';

/** What a user does next: prints the values that came, as pandas holds them. */
const PRINT = `
import json
events = events[events["event_type"] == "tool"]
first = events.sort_values("start_time").reset_index(drop=True)
print(json.dumps({
    "rows": len(first),
    "names": list(first["event_name"]),
    "texts": [row["text"] for row in first["inputs"]],
    "scores": [float(value) for value in pd.json_normalize(first["metrics"])["score"]],
    "year": int(first["start_time"].dt.year[0]),
}))
`;
const TEXTS = ['plain', 'line\u2028separator \u0085 next', 'quote " and \\ and\nbreak 😀'];
const START = Date.parse('2026-11-20T00:00:00Z');

describe('an export in pandas, as docs/reading-data.md reads it', () => {
  const { client, stack } = onStack(startStandalone);
  const dir = mkdtempSync(join(tmpdir(), 'assay-pandas-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('has a row for each event, names as texts and times as times', async () => {
    const events = TEXTS.map((text, index) => ({
      ...{ event_type: 'tool', event_name: `00${index}`, start_time: START + index, inputs: { text } },
      metrics: { score: index / 4 },
    }));
    expect((await client.post('/v1/events/batch', { events })).status).toBe(200);
    await client.search({ filters: [] });
    const snippets = snippetsOf(join(repository, 'docs/reading-data.md'));
    const program = snippets.find(({ name }) => name === 'read_events.py')?.text ?? '';
    const command = snippets.find(({ text }) => text.includes('> events.ndjson'))?.text ?? '';
    expect(
      program
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('import')),
    ).toHaveLength(1);
    writeFileSync(join(dir, 'read_events.py'), program + PRINT);
    const env = { ...process.env, ASSAY_URL: stack.baseUrl, ASSAY_API_KEY: stack.apiKey };
    const python = await pythonOfMetrics();
    const script = `${command.replace('"30d"', '"10y"')}\n"${python}" read_events.py`;
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
      cwd: dir,
      env,
    });
    expect(JSON.parse(stdout)).toEqual({
      rows: TEXTS.length,
      names: ['000', '001', '002'],
      texts: TEXTS,
      scores: [0, 0.25, 0.5],
      year: 2026,
    });
  }, 600_000);
});
