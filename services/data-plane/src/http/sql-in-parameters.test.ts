import { randomInt } from 'node:crypto';
import { golden, serveRuns, type ServedRuns } from '../../test/run-fixture.js';
import { storeTwoRuns } from '../../test/two-runs.js';

const FRAGMENTS = [
  `'`,
  `"`,
  '`',
  '\\',
  `') OR 1=1 --`,
  `'); DROP TABLE assay.events; --`,
  ' UNION ALL SELECT * FROM system.tables ',
  '{p0:String}',
  '{p1:Identifier}',
  '/*',
  '*/',
  '\0',
  '\n',
  '%',
  '{}',
  ']',
  'sleep(3)',
  '\u{1F600}',
];
/** Random texts of each run; the title of a failing test has its text. */
const TEXTS = 3;

describe('SQL in the parameters of queries', () => {
  let served: ServedRuns;
  let ids: { oldId: string; newId: string };
  beforeAll(async () => {
    served = await serveRuns();
    ids = await storeTwoRuns(served);
  });
  afterAll(() => served.stop());

  const texts = Array.from({ length: TEXTS }, () =>
    Array.from({ length: randomInt(1, 6) }, () => FRAGMENTS[randomInt(FRAGMENTS.length)]).join(
      randomInt(2) === 0 ? '' : 'x',
    ),
  );

  /** Every text parameter of every route, with the text in it. */
  const requests = (text: string): [path: string, body?: object][] => {
    const raw = encodeURIComponent(text);
    const list = [
      { field: `metadata.${text}`, operator: 'is', value: text },
      { field: 'event_name', operator: 'contains', value: text },
      { field: `inputs.${text}`, operator: 'is not', value: text },
      { field: 'metadata.cost', operator: 'is', value: text, type: 'string' },
    ];
    const filters = `filters=${encodeURIComponent(JSON.stringify(list))}`;
    const filter = encodeURIComponent(JSON.stringify({ [`outputs.${text}`]: text, error: text }));
    const [run, pair] = [`/v1/runs/${ids.newId}`, `/v1/runs/${ids.newId}/compare/${ids.oldId}`];
    return [
      [`${run}/result?aggregate_function=${raw}&${filters}`],
      [`${run}/summary?aggregate_function=${raw}`],
      [`${run}/summary?${filters}`],
      [`${run}/metrics?${filters}`],
      [`${run}/metrics?dateRange=${raw}`],
      [`${pair}?${filters}`],
      [`${pair}/events?event_name=${raw}&filter=${filter}`],
      [`${pair}/events?event_type=${raw}`],
      [`/v1/runs?name=${raw}&dataset_id=${raw}`],
      [`/v1/runs/schema?dateRange=${raw}`],
      [`/v1/events/schema?evaluation_id=${raw}`],
      [`/v1/events/chart?metric=${raw}&aggregation=count`],
      [`/v1/events/chart?metric=metadata.${raw}&groupBy=inputs.${raw}&${filters}`],
      [`/v1/events/chart?aggregation=${raw}`],
      [`/v1/events/chart?bucket=${raw}`],
      [`/v1/events/chart?timezone=${raw}`],
      [`/v1/charts/${raw}/data?timezone=${raw}`],
      [`${run}/gate`, { against: ids.oldId, metrics: [text] }],
      [`/v1/events/search`, { filters: list }],
    ];
  };

  it.each(texts)('is data: %j', async (text) => {
    for (const [path, body] of requests(text)) {
      const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
      const response = await served.call(path, request);
      expect([path, [200, 400, 404].includes(response.status) ? 'data' : response.status]).toEqual([
        path,
        'data',
      ]);
      if (response.status !== 200 && text.length > 2) expect(response.body['message']).not.toContain(text);
    }
    const { body } = await served.call(`/v1/runs/${ids.newId}/result`);
    expect(body).toEqual(golden('run-result.json'));
  });
});
