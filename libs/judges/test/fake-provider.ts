import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

/** A response, or a function that writes one in its own way. */
export type FakeResponse =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | ((response: ServerResponse, request: ReceivedRequest) => void);

export interface FakeProvider {
  readonly url: string;
  /** `host:port`, for the list of allowed hosts. */
  readonly host: string;
  readonly requests: readonly ReceivedRequest[];
  /** Connections that were opened. */
  readonly connections: () => number;
  close(): Promise<void>;
}

/** Starts a server on loopback that gives these responses in turn, and the last one again and again. */
export async function startFakeProvider(responses: readonly FakeResponse[]): Promise<FakeProvider> {
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  // A busy client may send on a connection that idles for longer than the default of 5 s.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    void readBody(request).then((text) => {
      const received = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text) as Record<string, unknown>,
      };
      requests.push(received);
      respond(responses[Math.min(requests.length, responses.length) - 1] as FakeResponse, response, received);
    });
  });
  server.on('connection', (socket) => {
    connections++;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    host: `127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function respond(fake: FakeResponse, response: ServerResponse, request: ReceivedRequest): void {
  if (typeof fake === 'function') return fake(response, request);
  const text = typeof fake.body === 'string' ? fake.body : JSON.stringify(fake.body);
  response.writeHead(fake.status ?? 200, { 'content-type': 'application/json', ...fake.headers }).end(text);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}

/** A chat completion as OpenAI returns it. */
export function chatCompletion(
  content: unknown,
  usage = { prompt_tokens: 100, completion_tokens: 20 },
): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-4o-2024-08-06',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: { ...usage, total_tokens: usage.prompt_tokens + usage.completion_tokens },
  };
}
