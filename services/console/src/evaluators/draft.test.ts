import { bodyOf, faultOf, missingIn, newDraft, withType } from './draft.js';

describe('the draft of a metric', () => {
  it('shows the line that a refusal of the server names', () => {
    expect(faultOf("content.criteria does not compile (line 2): '(' was never closed")).toEqual({
      ...{ line: 2, message: "'(' was never closed" },
    });
    expect(faultOf('criteria is not a valid template (line 11): unexpected end (line 3): x')).toEqual({
      ...{ line: 11, message: 'unexpected end (line 3): x' },
    });
    expect(faultOf('content.model_name is required for type LLM')).toBeUndefined();
  });

  it('changes its example with the type, and keeps criteria that a person wrote', () => {
    const { content } = newDraft();
    expect(withType({ ...content, name: 'n' }, 'LLM')).toMatchObject({
      ...{ name: 'n', type: 'LLM', scale: 5, criteria: expect.stringContaining('{{') as string },
    });
    expect(withType({ ...content, criteria: 'mine' }, 'LLM').criteria).toBe('mine');
  });

  it('is sent without parameters that were removed, and says what it lacks', () => {
    const { content } = newDraft('LLM');
    expect(bodyOf({ ...content, name: ' a ', model_parameters: {} })).not.toHaveProperty('model_parameters');
    expect(bodyOf({ ...content, name: ' a ' }).name).toBe('a');
    expect(missingIn(content)).toMatch('name');
    expect(missingIn({ ...newDraft('COMPOSITE').content, name: 'a' })).toMatch('combines no metric');
    expect(missingIn({ ...content, name: 'a' })).toBeUndefined();
  });
});
