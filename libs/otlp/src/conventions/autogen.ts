import type { JsonValue } from '@assay/domain';
import { LAST_RESORT, type Convention } from './rule.js';

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** `type.(source)-T` of a topic, `type.(key)-A` of an agent. */
const DESTINATION = new RegExp(`\\.\\((${UUID})\\)-[AT]$`);
/** `name_id` of an agent of a team. */
const AGENT_TYPE = new RegExp(`_(${UUID})$`);

/**
 * The team that sends a message. Each message is a trace of its own; only its agents and topics say to which conversation it belongs. A
 * source that is no UUID, such as `default`, is shared by all conversations and says nothing.
 */
const teamIn = (pattern: RegExp) => (value: JsonValue) =>
  typeof value === 'string' ? pattern.exec(value)?.[1] : undefined;

export const autoGen: Convention = {
  name: 'autogen',
  title: 'AutoGen',
  precedence: 29,
  always: true,
  detectors: ['sender_agent_type', 'recipient_agent_type'],
  rules: [
    {
      key: 'messaging.destination',
      to: 'fact.session',
      order: LAST_RESORT,
      read: teamIn(DESTINATION),
      keep: true,
      about: 'Team in the address of an agent or topic: session id of last resort',
    },
    {
      key: 'sender_agent_type',
      to: 'fact.session',
      order: LAST_RESORT + 1,
      read: teamIn(AGENT_TYPE),
      keep: true,
      about: 'Team in the name of an agent: session id of last resort',
    },
  ],
};
