import { explainedBy, explanationOf, isExplanation } from './explanation.js';

describe('the name of an explanation', () => {
  it('belongs to the metric that it explains, unless a metric has it', () => {
    expect(explainedBy(explanationOf('tone'))).toBe('tone');
    expect(explainedBy('explanation')).toBeUndefined();
    expect(isExplanation('tone_explanation', new Set(['tone']))).toBe(true);
    expect(isExplanation('tone_explanation', new Set(['tone', 'tone_explanation']))).toBe(false);
    expect(isExplanation('tone', new Set())).toBe(false);
  });
});
