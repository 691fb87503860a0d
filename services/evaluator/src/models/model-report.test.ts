import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, internalApi } from '@assay/contracts';
import { unavailable } from '@assay/errors';
import { waitFor } from '@assay/testing';
import { makeModelState, startModelReports, type ModelState } from './model-report.js';

const SETTINGS = {
  ...{ llmProxyUrl: undefined, llmProxyApiKey: undefined, llmProxyCaFile: undefined },
  ...{ llmProxyTimeoutMs: 1_000, llmAllowedHosts: [], llmProvidersFile: undefined },
  ...{ llmDefaultProvider: undefined, llmDefaultModel: undefined },
};
const endpoint = { api: 'openai', url: 'https://models.example.com' };
const failing = (projectId: string, provider: string) => ({ projectId, provider, pausedUntil: 0 });

describe('the report of the models of a process', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'assay-report-test-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const stateOf = (file: object, settings: object = {}) => {
    const llmProvidersFile = join(folder, 'providers.json');
    writeFileSync(llmProvidersFile, JSON.stringify(file));
    return makeModelState({ ...SETTINGS, llmProvidersFile, ...settings });
  };

  it('names the endpoints of all and of single projects, those that fail, and the default model', () => {
    const file = { providers: { openai: endpoint }, projects: { a: { azure: endpoint, own: endpoint } } };
    const settings = { llmDefaultProvider: 'openai', llmDefaultModel: 'gpt-4o' };
    expect(stateOf(file, settings)([failing('a', 'own'), failing('b', 'openai')])).toEqual({
      ...{ hasProxy: false, isComplete: true, providers: ['openai'] },
      projects: [
        { projectId: 'a', providers: ['azure', 'own'], failing: ['own'] },
        { projectId: 'b', providers: [], failing: ['openai'] },
      ],
      defaultModel: { provider: 'openai', name: 'gpt-4o' },
    });
    expect(makeModelState({ ...SETTINGS, llmProxyUrl: 'http://127.0.0.1:1/v1' })([])).toEqual({
      ...{ hasProxy: true, isComplete: true, providers: [], projects: [], defaultModel: null },
    });
  });

  it('stays small, and says so when it does not name every endpoint', () => {
    const many = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`${prefix}${n}`, endpoint]));
    const states = {
      'a long name': stateOf({ providers: { ['x'.repeat(201)]: endpoint, openai: endpoint } })([]),
      'many names': stateOf({ providers: many('p', 600), projects: { a: many('q', 600) } })([]),
      'many failing ones': stateOf({ providers: { openai: endpoint } })(
        Array.from({ length: 5_000 }, (_, n) => failing(`${n}`, 'p'.repeat(200))),
      ),
    };
    const check = compile(internalApi.modelReport);
    for (const [title, state] of Object.entries(states)) {
      const report = { owner: 'o', projectIds: [], ...state };
      expect([title, check(report)]).toEqual([title, report]);
      expect(JSON.stringify(report).length).toBeLessThan(internalApi.BODY_BYTES.modelReport);
      expect(state.isComplete).toBe(title === 'many failing ones');
    }
  });

  it('is sent again after a failure that is logged once, and ends with the process', async () => {
    const logged: string[] = [];
    const sent: object[] = [];
    const state = { hasProxy: true } as ModelState;
    const reports = startModelReports({
      ...{ owner: 'o', projectIds: ['p'], state: () => state, everyMs: 1 },
      controlPlane: {
        reportModels: (report) => {
          sent.push(report);
          return sent.length < 3 ? Promise.reject(unavailable('no control plane')) : Promise.resolve();
        },
      },
      logger: { warn: (phrase) => void logged.push(phrase) },
    });
    await waitFor('five reports', () => Promise.resolve(sent.length >= 5));
    await reports.stop();
    expect(sent[0]).toEqual({ owner: 'o', projectIds: ['p'], hasProxy: true });
    expect(logged).toEqual(['models cannot be reported, retrying']);
  });
});
