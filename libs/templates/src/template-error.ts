/** Code of every failure of a template, on parsing and on rendering. */
export const TEMPLATE_ERROR = 'template_render_error';

/** A template that cannot be parsed, or that fails when it is rendered. The message quotes the template, never its variables. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
  readonly code = TEMPLATE_ERROR;
  /** Line of the template, from 1; undefined when it is not known. */
  line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}
