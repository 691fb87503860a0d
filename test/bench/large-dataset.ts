import { startStandalone } from '../harness/stack/start-standalone.js';
import { callAll, type Call, type Latency } from './call-all.js';
import { cpuSeconds, residentMegabytes } from './cpu-time.js';

export interface LargeDatasetFigures {
  readonly operation: string;
  readonly size: number;
  readonly latency: Latency;
  /** Milliseconds of CPU per call. */
  readonly cpu: number;
  /** Megabytes that the process holds more after these calls than before. */
  readonly grown: number;
}

const SIZES = [1_000, 100_000];
const PER_REQUEST = 1_000;
const PAGE = 100;
const CALLS = 100;
/** Answers with every id of the dataset: as long as it. */
const WHOLE_CALLS = 5;

/** The same work on a small dataset and on one of 100,000 datapoints that are kept here. */
export async function* measureLargeDataset(): AsyncGenerator<LargeDatasetFigures> {
  const stack = await startStandalone({ LOG_LEVEL: 'warn', FORWARD_EVENTS: 'false' });
  try {
    for (const size of SIZES) {
      const { id, datapoints } = await fill(stack, size);
      const page = (number: number): Call => ({
        method: 'GET',
        path: `/v1/datapoints?dataset_id=${id}&limit=${PAGE}&page=${number}`,
      });
      const same = (call: Call, count = CALLS) => Array.from({ length: count }, () => call);
      const work: Readonly<Record<string, readonly Call[]>> = {
        'first page of 100': same(page(1)),
        'middle page': same(page(size / PAGE / 2)),
        'last page': same(page(size / PAGE)),
        'add one': same({
          method: 'POST',
          path: `/v1/datasets/${id}/datapoints`,
          body: { data: [{ q: 1 }], mapping: { inputs: ['q'] } },
        }),
        'remove one': datapoints
          .slice(-CALLS)
          .map((one) => ({ method: 'DELETE', path: `/v1/datasets/${id}/datapoints/${one}` })),
        'rename, answered with all ids': same(
          { method: 'PUT', path: `/v1/datasets/${id}`, body: { name: 'renamed' } },
          WHOLE_CALLS,
        ),
        'read with all ids': same({ method: 'GET', path: `/v1/datasets?dataset_id=${id}` }, WHOLE_CALLS),
      };
      for (const [operation, calls] of Object.entries(work)) {
        const pid = stack.pid('standalone');
        const before = { cpu: cpuSeconds(pid), resident: residentMegabytes(pid) };
        const { latency } = await callAll(stack, calls, 1);
        const cpu = ((cpuSeconds(pid) - before.cpu) * 1_000) / calls.length;
        yield { operation, size, latency, cpu, grown: residentMegabytes(pid) - before.resident };
      }
    }
  } finally {
    await stack.stop();
  }
}

async function fill(
  stack: { baseUrl: string; apiKey: string },
  size: number,
): Promise<{ id: string; datapoints: string[] }> {
  const { responses } = await callAll<{ result: { insertedId: string } }>(
    stack,
    [{ method: 'POST', path: '/v1/datasets', body: {} }],
    1,
  );
  const id = responses[0]!.result.insertedId;
  const objects = (from: number) =>
    Array.from({ length: PER_REQUEST }, (_, n) => ({
      question: `What is ${from + n} plus one?`,
      answer: n + 1,
    }));
  const additions = Array.from({ length: size / PER_REQUEST }, (_, index): Call => {
    const body = {
      data: objects(index * PER_REQUEST),
      mapping: { inputs: ['question'], ground_truth: ['answer'] },
    };
    return { method: 'POST', path: `/v1/datasets/${id}/datapoints`, body };
  });
  const added = await callAll<{ datapoint_ids: string[] }>(stack, additions, 1);
  return { id, datapoints: added.responses.flatMap(({ datapoint_ids }) => datapoint_ids) };
}
