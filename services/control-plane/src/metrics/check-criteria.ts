import { checkSourceSize, traitsOf, type MetricDefinition } from '@assay/domain';
import { validationError } from '@assay/errors';
import type { SyntaxChecker } from '@assay/python-runner';
import { TemplateError, type TemplateRenderer } from '@assay/templates';

/** Says why events cannot be evaluated by a metric at present, in sentences that name fields and settings. */
export type WarningsOf = (
  metric: Pick<MetricDefinition, 'type' | 'model_provider' | 'model_name'>,
) => readonly string[];

/** Returns what says so of the metrics of a project. @throws AppError `UNAVAILABLE` */
export type ModelWarnings = (projectId: string) => Promise<WarningsOf>;

/** Parses templates and compiles code. */
export interface CriteriaDeps {
  /** Parses the templates of metrics. */
  readonly templates: Pick<TemplateRenderer, 'check'>;
  /** Compiles the code of metrics; absent where no Python is looked for. */
  readonly pythonSyntax?: Pick<SyntaxChecker, 'check'>;
  /** Says why a metric cannot be evaluated at present. */
  readonly modelWarnings: ModelWarnings;
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
 * Checks that the template of a metric can be parsed, or that its code compiles.
 * @throws AppError `VALIDATION_ERROR` that names the field and the line, `OVERLOADED` or `UNAVAILABLE` when criteria cannot be checked now
 */
export async function checkCriteria(
  { templates, pythonSyntax }: CriteriaDeps,
  { projectId, definition, before, path = '' }: CheckedCriteria,
): Promise<void> {
  const { type, criteria } = definition;
  if (before?.type === type && before.criteria === criteria) return;
  const { criteria: language } = traitsOf(definition);
  if (language === 'template') await checkTemplate(() => templates.check(projectId, criteria), path);
  if (language !== 'python') return;
  checkSourceSize(definition, path);
  const mistake = await pythonSyntax?.check(projectId, criteria);
  if (mistake)
    throw validationError(`${path}criteria does not compile${at(mistake.line)}: ${mistake.message}`);
}

async function checkTemplate(check: () => Promise<void>, path: string): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw validationError(`${path}criteria is not a valid template${at(error.line)}: ${error.message}`);
  }
}

function at(line: number | undefined): string {
  return line === undefined ? '' : ` (line ${line})`;
}
