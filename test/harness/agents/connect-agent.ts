import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';

/** What a tool returned to an agent. */
export interface ToolReply {
  readonly isError: boolean;
  /** The first text, which is JSON unless the call failed. */
  readonly text: string;
  /** What was cut; absent when nothing was. */
  readonly note: string | undefined;
  json<T>(): T;
}

/** A client of the SDK that has connected. */
export interface Agent {
  readonly protocolVersion: string | undefined;
  /** Names of the tools that it sees. */
  tools(): Promise<string[]>;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolReply>;
  close(): Promise<void>;
}

interface Connection {
  readonly baseUrl: string;
  /** `/mcp` by default. */
  readonly path?: string;
  readonly key: string;
  /** How the client finds the version of the protocol; the newest by default. */
  readonly mode?: VersionNegotiationMode;
}

/** Connects as an agent does. Rejects when the server refuses the key. */
export async function connectAgent({
  baseUrl,
  path = '/mcp',
  key,
  mode = 'auto',
}: Connection): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = { Authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL(path, baseUrl), { requestInit: { headers } });
  await client.connect(transport);
  return {
    protocolVersion: client.getNegotiatedProtocolVersion(),
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, args = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
      const [text = '', note] = content.map((block) => (block.type === 'text' ? block.text : ''));
      return { isError, text, note, json: <T>() => JSON.parse(text) as T };
    },
    close: () => client.close(),
  };
}
