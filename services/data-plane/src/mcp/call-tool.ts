import { compile } from '@assay/contracts';
import { missingPermission, type Caller } from '@assay/domain';
import { AppError } from '@assay/errors';
import type { RequestContext } from '@assay/http';
import { fitResponseSteps } from './fit/fit-response.js';
import { permissionsOf, ToolError, type CallRoute, type Tool, type ToolArguments } from './tool.js';

/** What a tool returned: texts for the agent. */
export interface ToolOutcome {
  readonly texts: readonly string[];
  readonly isError: boolean;
}

export interface ToolRun extends Pick<RequestContext<unknown>, 'runInTurns'> {
  readonly caller: Pick<Caller, 'permissions'>;
  readonly call: CallRoute;
}

const checks = new WeakMap<Tool, (args: unknown) => unknown>();

/**
 * Checks the arguments and runs the tool. The result is bounded in size, and says what it lacks. A failure is an outcome that names the
 * field at fault, because agents correct their calls by it.
 */
export async function callTool(
  tool: Tool,
  args: ToolArguments,
  { caller, call, runInTurns }: ToolRun,
): Promise<ToolOutcome> {
  try {
    assertPermissions(tool, caller);
    checkOf(tool)(args);
    const { text, notes = [] } = await tool.run(args, call);
    const fitted = await runInTurns(fitResponseSteps(text));
    const about = [...notes, ...(fitted.note === undefined ? [] : [`${fitted.note} ${tool.rest}`])];
    return { texts: [fitted.text, ...(about.length > 0 ? [about.join(' ')] : [])], isError: false };
  } catch (error) {
    if (!(error instanceof ToolError) && !(error instanceof AppError)) throw error;
    return { texts: [error.message], isError: true };
  }
}

/** Before the first call, so that a tool of several calls does not end in the middle. */
function assertPermissions(tool: Tool, caller: Pick<Caller, 'permissions'>): void {
  const missing = missingPermission(caller, permissionsOf(tool));
  if (missing !== undefined) throw new AppError('FORBIDDEN', `this key lacks the permission ${missing}`);
}

function checkOf(tool: Tool): (args: unknown) => unknown {
  const check = checks.get(tool) ?? compile(tool.input, 'arguments');
  checks.set(tool, check);
  return check;
}
