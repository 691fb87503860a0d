import type { IncomingHttpHeaders } from 'node:http';
import type { McpHttpHandler, Server } from '@modelcontextprotocol/server';
import type { ToolOutcome } from '../call-tool.js';
import { isReadOnly, type Tool, type ToolArguments } from '../tool.js';
import { loadSdk, type Sdk } from './load-sdk.js';

/** What one request of a client may see and do. */
export interface AgentSession {
  readonly version: string;
  readonly tools: readonly Tool[];
  /** @returns undefined when there is no such tool */
  readonly call: (name: string, args: ToolArguments) => Promise<ToolOutcome> | undefined;
  /** Called with failures that the client learns nothing of. */
  readonly onError: (error: unknown) => void;
}

export interface Exchange {
  /** The JSON-RPC message, or a list of messages. */
  readonly message: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly signal: AbortSignal;
}

export interface ExchangeResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty when the client sent nothing that is answered. */
  readonly text: string;
}

const INSTRUCTIONS =
  'Assay stores traces (sessions of events), experiment runs on datasets, and metrics of one project. Start with search_events or list_runs. Results are at most 100 KB and say what they lack.';

/** Answers the messages of one request, by a server that lives as long as the request: nothing is kept between requests. */
export async function exchangeByProtocol(
  exchange: Exchange,
  session: AgentSession,
): Promise<ExchangeResponse> {
  const sdk = loadSdk();
  const { message, signal } = exchange;
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: headersOf(exchange.headers),
    signal,
  });
  const response = (await sdk.isLegacyRequest(request, message))
    ? await exchangeWithoutEnvelope(sdk, { request, message }, session)
    : await handlerFor(sdk, session).fetch(request, { parsedBody: message });
  return { status: response.status, headers: responseHeaders(response), text: await response.text() };
}

/** Versions of the protocol since 2026-07-28, whose requests need no handshake. */
function handlerFor(sdk: Sdk, session: AgentSession): McpHttpHandler {
  const options = { legacy: 'reject', maxSubscriptions: 0, onerror: () => undefined } as const;
  return sdk.createMcpHandler(() => makeServer(sdk, session), options);
}

/** Versions of the protocol before: one JSON response, and no session. */
async function exchangeWithoutEnvelope(
  sdk: Sdk,
  { request, message }: { readonly request: Request; readonly message: unknown },
  session: AgentSession,
): Promise<Response> {
  const server = makeServer(sdk, session);
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: message });
  } finally {
    await server.close();
  }
}

function makeServer(sdk: Sdk, { version, tools, call, onError }: AgentSession): Server {
  const server = new sdk.Server(
    { name: 'assay', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describe) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const called = call(name, args);
    if (called === undefined)
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InvalidParams, 'there is no tool of this name');
    try {
      const { texts, isError } = await called;
      return { content: texts.map((text) => ({ type: 'text' as const, text })), isError };
    } catch (error) {
      onError(error);
      throw new sdk.ProtocolError(sdk.ProtocolErrorCode.InternalError, 'internal error');
    }
  });
  return server;
}

function describe(tool: Tool) {
  const { name, title, description, input } = tool;
  return {
    name,
    title,
    description,
    inputSchema: { ...input, type: 'object' as const },
    annotations: { title, readOnlyHint: isReadOnly(tool), destructiveHint: false, openWorldHint: false },
  };
}

/** The headers that the protocol reads. */
function headersOf(headers: IncomingHttpHeaders): Headers {
  const read = ['accept', 'content-type', ...Object.keys(headers).filter((name) => name.startsWith('mcp-'))];
  return new Headers(
    read.flatMap((name): [string, string][] => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}

function responseHeaders({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('mcp-')));
}
