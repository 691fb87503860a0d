import { datapointJson, likelyRole, type Role } from './datapoint-rows.js';

const ID = '65c13dbbd65fb876b7886cdb';
const json = (fields: Readonly<Record<string, unknown>>, roles: Readonly<Record<string, Role>>) =>
  datapointJson(
    { line: 2, names: Object.keys(fields), values: Object.values(fields) },
    new Map(Object.entries(roles)),
    ID,
  );

describe('a datapoint of a row', () => {
  it('has each column in the part that was chosen, and no empty cell', () => {
    const roles = { question: 'inputs', answer: 'ground_truth', tier: 'metadata', note: 'none' } as const;
    expect(json({ question: '=1+1', answer: 'Paris', tier: '', note: 'x' }, roles)).toBe(
      `{"id":"${ID}","inputs":{"question":"=1+1"},"ground_truth":{"answer":"Paris"}}`,
    );
  });

  it('is what an export has, with every digit', () => {
    const fields = {
      inputs: { n: 90071992547409931n },
      history: [{ role: 'user' }],
      ground_truth: null,
      metadata: {},
    };
    const roles = {
      inputs: 'inputs',
      history: 'history',
      ground_truth: 'ground_truth',
      metadata: 'metadata',
    } as const;
    expect(json(fields, roles)).toBe(
      `{"id":"${ID}","inputs":{"n":90071992547409931},"history":[{"role":"user"}]}`,
    );
  });

  it('cannot have a history that is no list', () => {
    expect(() => json({ history: 'hello' }, { history: 'history' })).toThrow(
      'line 2: the history is not a list',
    );
  });
});

it.each([
  ['question', 'inputs'],
  ['Expected answer', 'ground_truth'],
  ['ground_truth', 'ground_truth'],
  ['metadata', 'metadata'],
  ['history', 'history'],
])('takes a column named %s as %s', (name, role) => {
  expect(likelyRole(name)).toBe(role);
});
