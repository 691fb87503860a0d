import { Agent, type AgentOptions, type RequestOptions } from 'node:https';
import type { Duplex } from 'node:stream';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { TlsCredentials, TlsFiles } from './tls-files.js';

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

/** The same, and trusts the authorities of Node as well: for connections to several systems, of which some have certificates of their own. */
export function createExtendedTlsAgent(files: TlsFiles, options: AgentOptions = {}): Agent {
  return new ExtendedAgent(files, options);
}

class ExtendedAgent extends Agent {
  #latest: TlsCredentials | undefined;
  #context: SecureContext | undefined;

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
    const secured: RequestOptions & { secureContext: SecureContext } = {
      ...options,
      secureContext: this.#secureContext(),
    };
    return super.createConnection(secured, callback);
  }

  /** Reading the authorities of Node takes milliseconds, so that the context is kept until the files change. */
  #secureContext(): SecureContext {
    const latest = this.files.latest();
    if (this.#context === undefined || this.#latest !== latest) {
      const { ca, ...own } = latest;
      this.#context = createSecureContext({
        ...own,
        ca: ca === undefined ? [...rootCertificates] : [...rootCertificates, ca],
      });
      this.#latest = latest;
    }
    return this.#context;
  }
}
