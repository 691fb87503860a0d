import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import type { TlsFiles } from './tls-files.js';

/** Returns an agent whose connections stay open and, when they open, use the files as they are on disk. */
export function createTlsAgent(files: TlsFiles, options: AgentOptions = {}): Agent {
  return new FileAgent(files, options);
}

class FileAgent extends Agent {
  constructor(
    private readonly files: TlsFiles,
    options: AgentOptions,
  ) {
    super({ keepAlive: true, ...options });
  }

  override createConnection(
    options: RequestOptions,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    return super.createConnection({ ...options, ...this.files.latest() }, callback);
  }
}
