import { jsonText } from '../../format/json-text.js';
import { FileProblem } from './file-problem.js';
import { isObject, type Row } from './read-rows.js';

/** Part of a datapoint that a column fills; `none`: the column is left out. */
export type Role = 'inputs' | 'ground_truth' | 'metadata' | 'history' | 'none';

const EXPECTED = /^(?:ground.?truth|expected|answer|label|target|reference|output|completion)/i;

/** Returns the part that a column most likely fills, by its name. */
export function likelyRole(name: string): Role {
  if (name === 'inputs' || name === 'metadata' || name === 'history') return name;
  return EXPECTED.test(name) ? 'ground_truth' : 'inputs';
}

/**
 * Returns a row as a datapoint in JSON. An empty cell is no value. An object in a column that is named like its part is the whole part,
 * as exports have it.
 * @throws FileProblem for a history that is no list
 */
export function datapointJson(
  { line, names, values }: Row,
  roles: ReadonlyMap<string, Role>,
  id: string,
): string {
  const parts = { inputs: [] as string[], ground_truth: [] as string[], metadata: [] as string[] };
  let history = '';
  names.forEach((name, at) => {
    const value = values[at];
    const role = roles.get(name) ?? 'none';
    if (role === 'none' || value === '' || (value === null && name === role)) return;
    if (role === 'history') {
      if (!Array.isArray(value)) throw new FileProblem('the history is not a list of messages', line);
      history = jsonText(value);
    } else if (name === role && isObject(value)) parts[role].push(...membersOf(value));
    else parts[role].push(memberOf(name, value));
  });
  return objectText([
    memberOf('id', id),
    `"inputs":${objectText(parts.inputs)}`,
    ...(history === '' ? [] : [`"history":${history}`]),
    ...(parts.ground_truth.length === 0 ? [] : [`"ground_truth":${objectText(parts.ground_truth)}`]),
    ...(parts.metadata.length === 0 ? [] : [`"metadata":${objectText(parts.metadata)}`]),
  ]);
}

const objectText = (members: readonly string[]) => `{${members.join(',')}}`;
const memberOf = (name: string, value: unknown) => `${JSON.stringify(name)}:${jsonText(value)}`;
const membersOf = (value: object) => Object.entries(value).map(([name, one]) => memberOf(name, one));
