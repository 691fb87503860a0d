import { Client } from '../../harness/stack/client.js';
import { freePort } from '../../harness/stack/free-port.js';
import { startStandalone } from '../../harness/stack/start-standalone.js';
import { startModelServer } from '../model-server/model-server.js';
import { allEvents } from './all-events.js';
import type { ProgramEnd, Scene, SceneOutcome } from './programs.js';
import { startRefusingFront } from './refusing-front.js';
import { runProgram } from './run-program.js';

/** Starts Assay and the model server, runs the programs of the scene, and reads back what Assay holds. */
export async function playPrograms({ programs, programWithinMs }: Scene): Promise<SceneOutcome> {
  const grpcPort = String(await freePort());
  const stack = await startStandalone({ ASSAY_OTLP_GRPC_PORT: grpcPort });
  const model = await startModelServer();
  const assay = { url: stack.baseUrl, grpcUrl: `http://127.0.0.1:${grpcPort}` };
  const front = await startRefusingFront(assay);
  try {
    const ends: ProgramEnd[] = [];
    for (const program of programs) {
      const { url, grpcUrl } = program.isRefused ? front : assay;
      const environment = {
        ASSAY_URL: url,
        ASSAY_GRPC_URL: grpcUrl,
        ASSAY_API_KEY: stack.apiKey,
        MODEL_URL: model.baseUrl,
      };
      const end = await runProgram(program, environment, programWithinMs);
      ends.push({ ...end, ...(program.isRefused && { outcomes: front.take() }) });
    }
    return { ends, events: await allEvents(new Client(stack)) };
  } finally {
    await front.stop();
    await model.stop();
    await stack.stop();
  }
}
