import { Client } from '../../harness/stack/client.js';
import { freePort } from '../../harness/stack/free-port.js';
import { startStandalone } from '../../harness/stack/start-standalone.js';
import { startModelServer } from '../model-server/model-server.js';
import { allEvents } from './all-events.js';
import type { ProgramEnd, Scene, SceneOutcome } from './programs.js';
import { runProgram } from './run-program.js';

/** Starts Assay and the model server, runs the programs of the scene, and reads back what Assay holds. */
export async function playPrograms({ programs, programWithinMs }: Scene): Promise<SceneOutcome> {
  const grpcPort = String(await freePort());
  const stack = await startStandalone({ ASSAY_OTLP_GRPC_PORT: grpcPort });
  const model = await startModelServer();
  try {
    const environment = {
      ASSAY_URL: stack.baseUrl,
      ASSAY_GRPC_URL: `http://127.0.0.1:${grpcPort}`,
      ASSAY_API_KEY: stack.apiKey,
      MODEL_URL: model.baseUrl,
    };
    const ends: ProgramEnd[] = [];
    for (const program of programs) ends.push(await runProgram(program, environment, programWithinMs));
    return { ends, events: await allEvents(new Client(stack)) };
  } finally {
    await model.stop();
    await stack.stop();
  }
}
