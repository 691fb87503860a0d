import { addsInstructions } from './judge-instructions.js';

const adds = (criteria: string, add_instructions?: boolean) =>
  addsInstructions({ type: 'LLM', criteria, ...(add_instructions !== undefined && { add_instructions }) });

describe('the instructions of a judge', () => {
  it.each([
    ['Rate {{ outputs.content }} from 1 to 5.', true],
    ['Rate it. Your rating: "[[5]]".', false],
    ['End with the rating in double brackets.', false],
    ['End with the rating in Double  square\nbrackets.', false],
    ['[[{{ inputs.scale }}]]', false],
    ['{% raw %}[[4]]{% endraw %}', false],
    ['Rate [ {{ outputs }} ]', true],
    ['[{{ outputs }}[', true],
    ['{% for x in [[1, 2], [3]] %}{{ x[[0][0]] }}{% endfor %}{# in [[ ]] #}', true],
    ['{{ [[ {{', false],
  ])('are added to the criteria %j: %s', (criteria, expected) => expect(adds(criteria)).toBe(expected));

  it('are added if the metric asks for them, and not if it refuses them', () => {
    expect([adds('[[5]]', true), adds('Rate', false)]).toEqual([true, false]);
  });

  it('are those of judges only', () => {
    expect(addsInstructions({ type: 'HUMAN', criteria: 'Rate', add_instructions: true })).toBe(false);
  });

  it('are decided in linear time', () => {
    const criteria = [
      '{{'.repeat(500_000),
      '{%}}{{'.repeat(200_000),
      '{{}}'.repeat(250_000),
      'double '.repeat(100_000),
    ];
    expect(criteria.map((one) => adds(one))).toEqual([true, true, true, true]);
  });
});
