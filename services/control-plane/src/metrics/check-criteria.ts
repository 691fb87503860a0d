import type { MetricDefinition } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { SyntaxChecker } from '@assay/python-runner';
import { parseTemplate, TemplateError } from '@assay/templates';

/** Compiles the code of metrics; absent where no Python is looked for. */
export interface CriteriaDeps {
  readonly pythonSyntax?: Pick<SyntaxChecker, 'check'>;
}

/** The definition to check, and where it comes from. */
export interface CheckedCriteria {
  readonly projectId: string;
  readonly definition: Pick<MetricDefinition, 'type' | 'criteria'>;
  /** The stored definition: criteria that do not change are not checked. */
  readonly before?: Pick<MetricDefinition, 'type' | 'criteria'>;
  /** Precedes the name of the field in errors, such as `content.`. */
  readonly path?: string;
}

/**
 * Checks that the template of a metric of type LLM can be parsed, and that the code of one of type PYTHON compiles.
 * @throws AppError `VALIDATION_ERROR` that names the field and the line
 */
export async function checkCriteria(
  { pythonSyntax }: CriteriaDeps,
  { projectId, definition: { type, criteria }, before, path = '' }: CheckedCriteria,
): Promise<void> {
  if (before?.type === type && before.criteria === criteria) return;
  if (type === 'LLM') checkTemplate(criteria, path);
  if (type !== 'PYTHON') return;
  const mistake = await pythonSyntax?.check(projectId, criteria);
  if (mistake)
    throw validationError(`${path}criteria does not compile${at(mistake.line)}: ${mistake.message}`);
}

function checkTemplate(criteria: string, path: string): void {
  try {
    parseTemplate(criteria);
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw validationError(`${path}criteria is not a valid template${at(error.line)}: ${error.message}`);
  }
}

function at(line: number | undefined): string {
  return line === undefined ? '' : ` (line ${line})`;
}
