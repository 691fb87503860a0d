/**
 * Records what the OTLP exporter of .NET sends: how `http.json` and `grpc.json` beside this file came about, on 26 November 2026. No package
 * of .NET can be installed where the tests run, but the npm package `@azure/mcp-linux-x64` 2.0.5 has a whole program of .NET with the
 * unmodified exporter 1.15.3 in it. This program plays its client and the server that it exports to. Run it where nothing but loopback is reached;
 * PROGRAM is the executable file in the `dist` of the package:
 *
 *   npm pack @azure/mcp-linux-x64@2.0.5 && tar xzf azure-mcp-linux-x64-2.0.5.tgz
 *   unshare --net --pid --fork --kill-child --mount-proc sh -c 'ip link set lo up && node record.mjs http PROGRAM > http.json'
 */
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

const [, , protocol, program] = process.argv;
const PORT = 4318;
const requests = [];
let userAgent = '';

async function keep(path, headers, stream) {
  const body = await buffer(stream);
  userAgent = headers['user-agent'];
  requests.push({ path, contentType: headers['content-type'], body: body.toString('base64') });
}

const grpcServer = () =>
  createHttp2Server().on('stream', async (stream, headers) => {
    await keep(headers[':path'], headers, stream);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.alloc(5));
  });
const httpServer = () =>
  createServer(async (request, response) => {
    await keep(request.url, request.headers, request);
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
  });

const server = protocol === 'grpc' ? grpcServer() : httpServer();
await new Promise((listening) => server.listen(PORT, '127.0.0.1', listening));
const child = spawn(program, ['server', 'start', '--mode', 'all'], {
  stdio: ['pipe', 'pipe', 'ignore'],
  env: {
    HOME: process.cwd(),
    AZURE_MCP_ENABLE_OTLP_EXPORTER: 'true',
    AZURE_MCP_COLLECT_TELEMETRY: 'true',
    AZURE_MCP_COLLECT_TELEMETRY_MICROSOFT: 'false',
    DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: '1',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${PORT}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: protocol === 'grpc' ? 'grpc' : 'http/protobuf',
    OTEL_BSP_SCHEDULE_DELAY: '500',
    OTEL_BLRP_SCHEDULE_DELAY: '500',
  },
});
const waiting = new Map();
createInterface({ input: child.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  waiting.get(message.id)?.(message);
});
let id = 0;
const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const call = (method, params) =>
  new Promise((response) => {
    waiting.set(++id, response);
    send({ id, method, params });
  });

await call('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'shop', version: '1' },
});
send({ method: 'notifications/initialized' });
await call('tools/list', {});
await call('tools/call', { name: 'azureterraformbestpractices_get', arguments: {} });
await call('tools/call', { name: 'eventgrid_subscription_list', arguments: {} });
await pause(4_000);
child.kill('SIGTERM');
await pause(3_000);
/** Keeps no request with paths of the machine, and the first two of the others with log records. */
let logs = 0;
const isKept = ({ path, body }) => {
  const bytes = Buffer.from(body, 'base64');
  if ([process.cwd(), dirname(program)].some((folder) => bytes.includes(folder))) return false;
  return !path.includes('logs') || logs++ < 2;
};
process.stdout.write(`${JSON.stringify({ userAgent, requests: requests.filter(isKept) }, null, 2)}\n`);
process.exit(0);
