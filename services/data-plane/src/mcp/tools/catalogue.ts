import { tryMetric } from '@assay/contracts';
import { missingPermission, type Caller } from '@assay/domain';
import { routeTool } from '../route-tool.js';
import { permissionsOf, type Tool } from '../tool.js';
import { createDatasetFromEvents } from './create-dataset.js';
import { readRunResult } from './get-run-result.js';
import { readEvent } from './read-event.js';
import { readSession } from './read-session.js';
import { READ_TOOLS } from './read-tools.js';

const tryOutMetric = routeTool({
  name: 'try_metric',
  title: 'Try a metric',
  description:
    'Evaluate stored events by a draft of a metric (Python code, LLM judge or composite) and return scores, explanations and errors. Nothing is stored; a judge calls a model, which costs money.',
  route: tryMetric,
  defaults: { newest: 3 },
  rest: 'Try fewer events with event_ids or newest.',
});

/** All tools, in the order in which agents see them. */
export const TOOLS: readonly Tool[] = [
  ...READ_TOOLS.slice(0, 1),
  readSession,
  readEvent,
  ...READ_TOOLS.slice(1),
  readRunResult,
  tryOutMetric,
  createDatasetFromEvents,
];

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** Returns the tool of this name; undefined when there is none. */
export function toolNamed(name: string): Tool | undefined {
  return byName.get(name);
}

/** Returns the tools for which a key has all permissions. */
export function toolsFor(caller: Pick<Caller, 'permissions'>): readonly Tool[] {
  return TOOLS.filter((tool) => missingPermission(caller, permissionsOf(tool)) === undefined);
}
