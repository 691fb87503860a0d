import type { importDatapoints, ResponseOf } from '@assay/contracts';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import { datapointId, readDatapoints, type ImportSource, type ReadDatapoint } from './datapoints.js';

/** Datapoints and bytes of one request. */
const MAX_BATCH = 500;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

export interface Sent {
  readonly added: number;
  /** Datapoints that the dataset contained already. */
  readonly present: number;
}

interface Batch {
  readonly bodies: readonly object[];
  readonly lines: readonly number[];
}

/**
 * Sends the datapoints of a file in order, batch by batch.
 * @throws CliError that says how many are stored; the same import adds the others when it is repeated
 */
export async function sendDatapoints(
  api: Api,
  source: ImportSource,
  { datasetId, onBatch }: { datasetId: string; onBatch: (sent: Sent) => void },
): Promise<Sent> {
  let sent: Sent = { added: 0, present: 0 };
  try {
    for await (const batch of batchesOf(source, datasetId)) {
      const { added, present } = await send(api, datasetId, batch);
      sent = { added: sent.added + added, present: sent.present + present };
      onBatch(sent);
    }
    return sent;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(
      `${error.message}; ${sent.added + sent.present} datapoints are stored, repeat the command to add the others`,
    );
  }
}

async function* batchesOf(source: ImportSource, datasetId: string): AsyncGenerator<Batch> {
  let [bodies, lines, bytes, position]: [object[], number[], number, number] = [[], [], 0, 0];
  for await (const one of readDatapoints(source)) {
    if ('mistake' in one) throw new CliError(`FILE has changed meanwhile: line ${one.line} ${one.mistake}`);
    const size = sizeOf(one);
    if (bodies.length === MAX_BATCH || (bodies.length > 0 && bytes + size > MAX_BATCH_BYTES)) {
      yield { bodies, lines };
      [bodies, lines, bytes] = [[], [], 0];
    }
    bodies.push({ id: datapointId(datasetId, position, one.datapoint), ...one.datapoint });
    lines.push(one.line);
    bytes += size;
    position += 1;
  }
  if (bodies.length > 0) yield { bodies, lines };
}

function sizeOf({ datapoint }: ReadDatapoint): number {
  return Buffer.byteLength(JSON.stringify(datapoint));
}

async function send(api: Api, datasetId: string, { bodies, lines }: Batch) {
  try {
    return await api.call<ResponseOf<typeof importDatapoints>>({
      method: 'PUT',
      path: `/v1/datasets/${encodeURIComponent(datasetId)}/datapoints`,
      body: { datapoints: bodies },
      as: 'project',
    });
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CliError(withLine(error.message, lines));
  }
}

/** A message of the server names a datapoint by its index in the request. */
function withLine(message: string, lines: readonly number[]): string {
  const [, index] = /datapoints\[(\d+)\]/.exec(message) ?? [];
  const line = index === undefined ? undefined : lines[Number(index)];
  return line === undefined ? message : `line ${line}: ${message}`;
}
