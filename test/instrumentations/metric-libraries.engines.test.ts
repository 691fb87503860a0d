import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startPythonRunner, type PythonRunner } from '@assay/python-runner';
import { silentLogger } from '@assay/testing';
import { repository } from '../harness/stack/repository.js';
import { installMetricLibraries, pythonOfMetrics } from './packages/client-packages.js';

const ROWS = [0.1, 0.2, 0.3, 0.7, 0.8, 0.9].map((score) => ({ score, good: score > 0.5, kind: 'answer' }));

const METRICS: readonly [name: string, source: string][] = [
  [
    'pandas',
    'import pandas\nresult = pandas.DataFrame(inputs["rows"]).groupby("good")["score"].mean()[True]',
  ],
  [
    'scikit-learn',
    `import numpy, pandas
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
frame = pandas.DataFrame(inputs["rows"])
model = LogisticRegression().fit(frame[["score"]], frame["good"])
result = 0.8 * f1_score(frame["good"], model.predict(frame[["score"]]))`,
  ],
  [
    'jsonschema',
    `import jsonschema
jsonschema.validate(inputs["rows"], {"type": "array", "items": {"required": ["score"]}})
result = 0.8`,
  ],
  [
    'sqlglot',
    'import sqlglot\nresult = 0.8 if sqlglot.parse_one("select a from b").sql() == "SELECT a FROM b" else 0',
  ],
  [
    'requests',
    'import requests\nresult = 0.8 if requests.Request("GET", "http://a").prepare().url == "http://a/" else 0',
  ],
];

/** Installed as in the image of the evaluator. The first run installs about 400 MB into a cache in the home folder. */
describe('metrics with the libraries of the evaluator image', () => {
  let runner: PythonRunner;

  beforeAll(async () => {
    const command = [await pythonOfMetrics()];
    runner = await startPythonRunner({ command, workers: 1, log: silentLogger });
  }, 600_000);
  afterAll(() => runner?.close());

  it('are installed by the Dockerfile with the same options', () => {
    const dockerfile = readFileSync(join(repository, 'deploy/docker/Dockerfile'), 'utf8');
    const [, options = ''] = /pip install (.+) --requirement/.exec(dockerfile) ?? [];
    expect(options.split(' ')).toEqual(installMetricLibraries);
    expect(dockerfile).toContain('COPY --from=metric-libraries /opt/metrics /opt/metrics');
  });

  it('have all of them in a complete sandbox', () => {
    expect(runner.state).toEqual({
      available: true,
      libraries: ['jsonschema', 'numpy', 'pandas', 'requests', 'scikit-learn', 'sqlglot'],
    });
  });

  it.each(METRICS)('use %s within the memory of an evaluation', async (metricName, source) => {
    const call = {
      projectId: 'project',
      metricName,
      source,
      returnType: 'float',
      timeoutMs: 10_000,
    } as const;
    const outcome = await runner.evaluate({ ...call, event: { inputs: { rows: ROWS } } });
    expect(outcome).toMatchObject({ ok: true, value: expect.closeTo(0.8) as number });
  });

  it('have no network in requests', async () => {
    const source = 'import requests\nrequests.get("http://127.0.0.1:9/")\nresult = 1';
    const call = {
      projectId: 'project',
      metricName: 'call',
      source,
      returnType: 'float',
      timeoutMs: 10_000,
    } as const;
    expect(await runner.evaluate({ ...call, event: {} })).toMatchObject({
      ok: false,
      error: { code: 'execution_error' },
    });
  });
});
