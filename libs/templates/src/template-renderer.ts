/** Parses and renders the templates of users where no other work waits for them. */
export interface TemplateRenderer {
  /**
   * Renders a template with variables, which are JSON data and do not change.
   * @throws TemplateError when the template cannot be parsed, cannot be rendered with these variables or exceeds a limit. @throws AppError
   * `OVERLOADED` when too much of the project waits or the machine is too busy, `UNAVAILABLE` when nothing can be rendered
   */
  render(projectId: string, source: string, variables: object): Promise<string>;
  /** Parses a template. @throws like {@link render} */
  check(projectId: string, source: string): Promise<void>;
  /** Ends what runs; afterwards nothing can be rendered. */
  close(): Promise<void>;
}
