import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { anthropicResponse, type AnthropicRequest } from './anthropic-response.js';
import { chatResponse, type ChatRequest } from './chat-response.js';
import { geminiResponse, type GeminiRequest } from './gemini-response.js';
import { isToFail, MESSAGE_OF_FAILURE } from './reply.js';

/** A model server on loopback that speaks the HTTP interfaces of OpenAI, Anthropic and Gemini and gives the same answers every time. */
export interface ModelServer {
  /** What clients take as the base URL, with `/v1`. */
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/**
 * Chat completions (whole and streamed, with tool calls) and embeddings; Anthropic's messages; Gemini's content. Any other path is 404, and
 * a request that asks "Are you there?" is 400.
 */
export async function startModelServer(): Promise<ModelServer> {
  // A busy client may send on a connection that idles for longer than the default of 5 s.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    respond(request, response).catch((cause: unknown) =>
      response.destroy(cause instanceof Error ? cause : new Error(String(cause))),
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise<void>((closed) => server.close(() => closed()));
  };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, stop };
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readJson(request);
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [, geminiModel] = /^\/v1[a-z0-9]*\/models\/([^:]+):generateContent$/.exec(pathname) ?? [];
  if (isToFail(body)) return sendFailure(response, 400, MESSAGE_OF_FAILURE);
  if (pathname === '/v1/chat/completions') return sendChat(response, body as unknown as ChatRequest);
  if (pathname === '/v1/embeddings') return sendJson(response, 200, embeddings(body));
  if (pathname === '/v1/messages')
    return sendJson(response, 200, anthropicResponse(body as unknown as AnthropicRequest));
  if (geminiModel)
    return sendJson(response, 200, geminiResponse(body as unknown as GeminiRequest, geminiModel));
  sendFailure(response, 404, 'there is no such path');
}

/** In a form that all three providers' clients read. */
function sendFailure(response: ServerResponse, status: number, message: string): void {
  const error = { type: 'invalid_request_error', code: status, status: 'INVALID_ARGUMENT', message };
  sendJson(response, status, { type: 'error', error });
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
}

function sendChat(response: ServerResponse, request: ChatRequest): void {
  const { whole, chunks } = chatResponse(request);
  if (!request.stream) return sendJson(response, 200, whole);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const chunk of chunks) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function embeddings({ input, model, encoding_format: format }: Record<string, unknown>) {
  const inputs = Array.isArray(input) ? input : [input];
  const vector = [0.125, -0.25, 0.5];
  const embedding =
    format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector;
  return {
    object: 'list',
    model,
    data: inputs.map((_, index) => ({ object: 'embedding', index, embedding })),
    usage: { prompt_tokens: 8, total_tokens: 8 },
  };
}
