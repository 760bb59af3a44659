/* The Model Context Protocol's server for tools, without its transport: a message in, a message out (JSON-RPC 2.0, modelcontextprotocol.io). */
import { callTool, tools } from './call';
import type { ToolHost } from './tool';

/** Versions of the protocol whose messages for tools are those that are written here, the newest first. */
const versions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Answers one line; undefined for notifications, which have no answer. */
export type Server = (line: string) => Promise<string | undefined>;

type Id = string | number;
type Params = Readonly<Record<string, unknown>>;

const codes = { parse: -32700, request: -32600, method: -32601, params: -32602, bug: -32603 } as const;

class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export function createServer(host: ToolHost, version: string): Server {
  const handlers: Readonly<Record<string, (params: Params) => unknown>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion: versions.find((one) => one === protocolVersion) ?? versions[0],
      capabilities: { tools: {} },
      serverInfo: { name: 'explain-attention', title: 'Explain Attention', version },
    }),
    ping: () => ({}),
    'tools/list': () => ({ tools: tools.map((tool) => ({ ...tool, annotations: { title: tool.title, readOnlyHint: true, openWorldHint: false } })) }),
    'tools/call': async ({ name, arguments: given = {} }) => {
      if (typeof name !== 'string' || !tools.some((tool) => tool.name === name)) throw new Refused(codes.params, `Unknown tool: ${String(name)}`);
      const { text, isError } = await callTool(name, given, host);
      return { content: [{ type: 'text', text }], isError };
    },
  }; // prettier-ignore
  return async (line) => {
    if (line.trim() === '') return undefined;
    let id: Id | null = null;
    const answer = (of: object): string => JSON.stringify({ jsonrpc: '2.0', id, ...of });
    try {
      const message = parsed(line);
      if (typeof message['id'] === 'string' || typeof message['id'] === 'number') id = message['id'];
      const { method, params = {} } = message;
      if (typeof method !== 'string') {
        // An answer to a question of ours, of which there are none.
        if ('result' in message || 'error' in message) return undefined;
        throw new Refused(codes.request, 'expected a request with a method');
      }
      if (id === null) return undefined;
      const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined;
      if (!handler) throw new Refused(codes.method, `Method not found: ${method}`);
      if (!isObject(params)) throw new Refused(codes.params, 'expected params to be an object');
      return answer({ result: await handler(params) });
    } catch (error) {
      const [code, message] = error instanceof Refused ? [error.code, error.message] : [codes.bug, String(error)];
      return answer({ error: { code, message } });
    }
  };
}

const isObject = (value: unknown): value is Params =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(line: string): Params {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new Refused(codes.parse, 'expected one JSON object a line');
  }
  if (!isObject(value)) throw new Refused(codes.request, 'expected one request a line, not a batch');
  return value;
}
