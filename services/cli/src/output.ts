/** Where a command writes. */
export interface Output {
  /** Prints the result: as one JSON document with `--json`, otherwise the lines. */
  result(value: unknown, lines: () => readonly string[]): void;
  /** Reports progress of long work on standard error. */
  progress(text: string): void;
}

export interface Streams {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

export function makeOutput({ stdout, stderr }: Streams, isJson: () => boolean): Output {
  return {
    result: (value, lines) => {
      const text = isJson() ? JSON.stringify(value, null, 2) : lines().join('\n');
      if (text !== '') stdout.write(`${text}\n`);
    },
    progress: (text) => void stderr.write(`${printable(text)}\n`),
  };
}

type Cell = string | number | null | undefined;

/** Returns the lines of a table with aligned columns. Absent values are shown as `-`. */
export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const cells = [head, ...rows.map((row) => row.map((cell) => printable(String(cell ?? '-'))))];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Text of a server must not control the terminal. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, '?');
}
