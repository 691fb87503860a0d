import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeEvaluatorStatus } from './evaluator-status.js';

const SETTINGS = {
  ...{ llmProxyUrl: 'http://127.0.0.1:1/v1', llmProxyApiKey: undefined, llmProxyCaFile: undefined },
  ...{ llmProxyTimeoutMs: 1_000, llmAllowedHosts: [], llmProvidersFile: undefined },
};
const UNTIL = '2026-11-01T00:00:00.000Z';
const python = { state: { available: true as const, libraries: [] } };

describe('the status of the evaluator', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'assay-status-test-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('names failing providers with their project, and whether their endpoint is that of the project', () => {
    const llmProvidersFile = join(folder, 'providers.json');
    const endpoint = { api: 'openai', url: 'https://models.example.com' };
    writeFileSync(llmProvidersFile, JSON.stringify({ projects: { a: { openai: endpoint } } }));
    const failing = () => [
      { projectId: 'a', provider: 'openai', pausedUntil: Date.parse(UNTIL) },
      { projectId: 'b', provider: 'openai', pausedUntil: 0 },
    ];
    const { providers, failing_providers: reported } = makeEvaluatorStatus(
      { ...SETTINGS, llmProvidersFile },
      { python, failing },
    )();
    expect(providers).toEqual(['proxy']);
    expect(reported).toEqual([
      { project_id: 'a', name: 'openai', is_own: true, paused_until: UNTIL },
      { project_id: 'b', name: 'openai', is_own: false, paused_until: null },
    ]);
  });

  it('names at most 1,000 failing providers', () => {
    const failing = Array.from({ length: 5_000 }, (_, n) => ({
      ...{ projectId: `${n}`, provider: 'openai', pausedUntil: 0 },
    }));
    const status = makeEvaluatorStatus(SETTINGS, { python, failing: () => failing });
    expect(status().failing_providers).toHaveLength(1_000);
  });
});
