import { EventEmitter } from 'node:events';
import type { Http2Server, IncomingHttpHeaders, ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { ConnectionInjector, Metadata, Server } from '@grpc/grpc-js';

/** The HTTP/2 stream of a call. */
export interface IncomingStream {
  readonly stream: ServerHttp2Stream;
  /** Headers of the request, without `grpc-encoding`. */
  readonly headers: IncomingHttpHeaders;
  /** `grpc-encoding`: how a message with the flag for compression is compressed. */
  readonly encoding: string | undefined;
  readonly socket: Socket;
}

export interface StreamEvents {
  /** A session has begun on an injected connection. */
  readonly onSession: (session: ServerHttp2Session, socket: Socket) => void;
  /** A stream has begun. Called before grpc-js sees it. */
  readonly onStream: (incoming: IncomingStream) => void;
}

/** Header by which a call finds its stream. A client that sends it is overruled. */
const CALL_HEADER = 'assay-grpc-call';

/**
 * Finds the HTTP/2 streams behind the calls of grpc-js, which hands over messages only when they are complete and
 * inflated. With the stream, their bytes are counted while they arrive; without `grpc-encoding`, grpc-js does not inflate
 * them, so that this happens within the byte budget.
 */
export class IncomingStreams {
  readonly #injector: ConnectionInjector;
  readonly #byCall = new Map<string, IncomingStream>();
  readonly #sockets = new WeakMap<ServerHttp2Session, Socket>();
  #injecting: Socket | undefined;
  #lastCall = 0;

  /** @param injector of this server, its only one */
  constructor(
    server: Server,
    injector: ConnectionInjector,
    private readonly events: StreamEvents,
  ) {
    this.#injector = injector;
    http2ServerOf(server)
      .prependListener('session', (session: ServerHttp2Session) => this.#begin(session))
      .prependListener('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
        this.#add(stream, headers),
      );
  }

  /** Hands an accepted connection to grpc-js. */
  inject(socket: Socket): void {
    this.#injecting = socket;
    this.#injector.injectConnection(socket);
    this.#injecting = undefined;
  }

  /** Returns the stream of a call by its metadata. */
  of(metadata: Metadata): IncomingStream {
    const found = this.#byCall.get(String(metadata.get(CALL_HEADER)[0]));
    if (found === undefined) throw new Error('a call of grpc-js has no stream');
    return found;
  }

  #begin(session: ServerHttp2Session): void {
    const socket = this.#injecting;
    if (socket === undefined) return session.destroy();
    this.#sockets.set(session, socket);
    this.events.onSession(session, socket);
  }

  #add(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    const socket = stream.session && this.#sockets.get(stream.session as ServerHttp2Session);
    if (socket === undefined) return void stream.destroy();
    const encoding = [headers['grpc-encoding']].flat()[0];
    delete headers['grpc-encoding'];
    const call = String(++this.#lastCall);
    headers[CALL_HEADER] = call;
    const incoming = { stream, headers, encoding, socket };
    this.#byCall.set(call, incoming);
    stream.once('close', () => this.#byCall.delete(call));
    this.events.onStream(incoming);
  }
}

/**
 * grpc-js has no public way to its HTTP/2 servers: an injector does not return its server, and interceptors of a server see a message when
 * it is complete and inflated. A version that keeps the servers elsewhere fails at the start.
 */
function http2ServerOf(server: Server): Http2Server {
  const servers: unknown = Reflect.get(server, 'http2Servers');
  const [http2Server] = servers instanceof Map ? (servers.keys() as Iterable<unknown>) : [];
  if (!(http2Server instanceof EventEmitter)) throw new Error('this version of grpc-js is not supported');
  return http2Server as Http2Server;
}
