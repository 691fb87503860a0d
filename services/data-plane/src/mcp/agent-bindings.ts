import { exchangeMessages, type ResponseOf } from '@assay/contracts';
import {
  bind,
  HandlerResponse,
  makeIsAllowedOrigin,
  VERSION,
  type Binding,
  type CallApi,
  type ContextOf,
  type IncomingRequest,
} from '@assay/http';
import {
  FairSlots,
  type agentSettings,
  type browserSettings,
  type ConfigOf,
  type Logger,
} from '@assay/runtime';
import { makeAssertOrigin } from './assert-origin.js';
import { makeCallRoute } from './call-route.js';
import { callTool } from './call-tool.js';
import { exchangeByProtocol, type AgentSession, type Exchange } from './sdk/exchange-by-protocol.js';
import type { CallRoute } from './tool.js';
import { toolNamed, toolsFor } from './tools/catalogue.js';

/** A few requests of agents of a project run at a time. Calls of models may hang, and leave room for those of other projects. */
const SHARES = {
  total: 64,
  perProject: 8,
  leavesRoom: true,
  reserve: 64,
  maxWaiting: 64,
  maxWaitMs: 10_000,
};

type Context = ContextOf<typeof exchangeMessages>;
type AgentConfig = ConfigOf<typeof agentSettings & typeof browserSettings>;

/** Returns the binding of `/mcp`, whose tools call the API of this process as the client would; undefined when it is switched off. */
export function agentBindings(
  { serveMcp, allowedOrigins }: AgentConfig,
  logger: Logger,
): ((callApi: CallApi) => readonly Binding[]) | undefined {
  if (!serveMcp) return undefined;
  const assertOrigin = makeAssertOrigin(makeIsAllowedOrigin(allowedOrigins));
  return (callApi) => {
    const slots = new FairSlots(SHARES);
    return [
      {
        route: exchangeMessages,
        delegates: true,
        async handle(incoming, context) {
          assertOrigin(incoming.headers.origin);
          return exchangeOf({ callApi, slots, logger }, incoming).handle(incoming, context);
        },
      },
    ];
  };
}

interface AgentDeps {
  readonly callApi: CallApi;
  readonly slots: FairSlots;
  readonly logger: Logger;
}

/** Binds the exchange to one request, whose connection and headers the calls of the API need. */
function exchangeOf({ callApi, slots, logger }: AgentDeps, { http }: IncomingRequest): Binding {
  return bind(exchangeMessages, ({ body: message }, context) => {
    const { caller, signal, headers } = context;
    const session = sessionOf(context, makeCallRoute(callApi, { ...context, signal, http }), logger);
    return slots.run(caller.projectId, () => respond({ message, headers, signal }, session), signal);
  });
}

function sessionOf(context: Context, call: CallRoute, logger: Logger): AgentSession {
  const { caller, requestId, runInTurns } = context;
  return {
    version: VERSION,
    tools: toolsFor(caller),
    call(name, args) {
      const tool = toolNamed(name);
      return tool && callTool(tool, args, { caller, call, runInTurns });
    },
    onError: (error) => logger.error('tool of an agent failed', { requestId }, error),
  };
}

/** A message that expects no response gets 202 without a body. */
async function respond(exchange: Exchange, session: AgentSession) {
  const { status, headers, text } = await exchangeByProtocol(exchange, session);
  const body = text === '' ? undefined : (JSON.parse(text) as ResponseOf<typeof exchangeMessages>);
  return new HandlerResponse(body, headers, status);
}
