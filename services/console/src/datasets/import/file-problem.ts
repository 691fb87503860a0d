/** What is wrong with a file, or with one of its lines. Lines begin at 1; absent: the whole file. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem';

  constructor(
    message: string,
    readonly line?: number,
  ) {
    super(line === undefined ? message : `line ${line}: ${message}`);
  }
}
