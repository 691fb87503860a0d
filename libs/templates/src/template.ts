import { Budget, DEFAULT_LIMITS, type Clocks, type RenderLimits } from './limits.js';
import { Evaluator } from './render/evaluate.js';
import { Executor } from './render/execute.js';
import { Output } from './render/output.js';
import { Scope } from './render/scope.js';
import type { Statement } from './syntax/nodes.js';
import { parseStatements } from './syntax/parse-template.js';
import { TemplateError } from './template-error.js';
import { fromJson } from './values/from-json.js';

/** Maximum length of a template, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 262_144;

export interface RenderOptions extends Partial<RenderLimits> {
  /** Absent: those of the process. */
  readonly clocks?: Clocks;
}

/** A parsed template of Jinja2's grammar. Rendering it has no effect outside of it. */
export interface Template {
  /**
   * Renders the template with variables, which are JSON data: own properties only, never changed.
   * @throws TemplateError on an operation that the values do not allow, or beyond a limit
   */
  render(variables: object, options?: RenderOptions): string;
}

/**
 * Parses a template.
 * @throws TemplateError with the line
 */
export function parseTemplate(source: string): Template {
  if (source.length > MAX_SOURCE_LENGTH)
    throw new TemplateError(`the template is longer than ${MAX_SOURCE_LENGTH} characters`);
  const statements = guardStack(() => parseStatements(source));
  return { render: (variables, options) => guardStack(() => render(statements, variables, options)) };
}

function render(
  statements: readonly Statement[],
  variables: object,
  { clocks, ...limits }: RenderOptions = {},
): string {
  const budget = new Budget({ ...DEFAULT_LIMITS, ...limits }, clocks);
  const context = new Scope();
  for (const [name, value] of Object.entries(variables)) context.set(name, fromJson(value, budget));
  const output = new Output(budget);
  new Executor(new Evaluator(budget)).run(statements, new Scope(context), output);
  budget.checkClock();
  return output.text();
}

/** The limits on depth keep the stack small; this is for callers whose own stack is deep. */
function guardStack<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (error instanceof RangeError) throw new TemplateError('the template nests or recurses too deeply');
    throw error;
  }
}
