/** Returns the lines that show the generated key of the first project; none when no key was generated. */
export function firstKeyNotice(project: string, apiKey: string | undefined): string[] {
  return apiKey ? [`The key of project "${project}", shown this once:\n\n  ${apiKey}\n`] : [];
}
