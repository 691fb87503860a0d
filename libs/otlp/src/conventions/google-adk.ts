import { asPresent, asRequest, asResponse, isRequest } from './google-adk-readers.js';
import { asKey } from './readers.js';
import type { Convention } from './rule.js';

export const googleAdk: Convention = {
  name: 'google-adk',
  title: 'Google Agent Development Kit',
  precedence: 12,
  always: true,
  detectors: ['gcp.vertex.agent.*'],
  rules: [
    {
      key: 'gcp.vertex.agent.llm_request',
      to: 'event',
      read: asRequest,
      also: [{ to: 'fact.type', order: 69, read: isRequest }],
      partial: true,
      cut: true,
    },
    {
      key: 'gcp.vertex.agent.llm_response',
      to: 'event',
      read: asResponse,
      partial: true,
      cut: true,
    },
    {
      key: 'gcp.vertex.agent.tool_call_args',
      to: 'fact.tool_arguments',
      read: asPresent,
      also: [
        {
          to: 'fact.tool_evidence',
          read: (value) => (asPresent(value) === undefined ? undefined : 'tool_call_args'),
        },
      ],
    },
    {
      key: 'gcp.vertex.agent.tool_response',
      to: 'fact.tool_result',
      read: asPresent,
    },
    { key: 'gcp.vertex.agent.session_id', to: 'fact.session', order: 75, read: asKey },
  ],
};
