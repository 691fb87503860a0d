import { isJsonObject, parseExactJson, type JsonValue } from '@assay/domain';
import { CliError } from '../cli-error.js';
import { readText } from './read-text.js';
import { MAX_ROW_BYTES, type Mistake, type Row } from './row.js';

/** Reads one JSON object per line. Empty lines are skipped. */
export async function* readJsonl(path: string): AsyncGenerator<Row | Mistake> {
  let line = 0;
  for await (const text of linesOf(path)) {
    line += 1;
    if (text.trim() === '') continue;
    yield readObject(text, line);
  }
}

/** Lines end with LF, CRLF or CR: JSON contains none of them within a text. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of readText(path)) {
    // A CR at the end of a piece may be the first half of a CRLF.
    const text = rest + piece;
    const end = text.endsWith('\r') ? text.length - 1 : text.length;
    const lines = text.slice(0, end).split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? '') + text.slice(end);
    if (rest.length > MAX_ROW_BYTES) throw new CliError('FILE has a line of more than 16 MB');
    yield* lines;
  }
  yield* rest.split('\r');
}

function readObject(text: string, line: number): Row | Mistake {
  let value: JsonValue;
  try {
    value = parseExactJson(text);
  } catch {
    return { line, mistake: 'is not valid JSON' };
  }
  if (!isJsonObject(value)) return { line, mistake: 'is not a JSON object' };
  return { line, cells: Object.entries(value) };
}
