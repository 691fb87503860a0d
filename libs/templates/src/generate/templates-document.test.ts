import { parseTemplate } from '../template.js';
import { templatesDocument } from './templates-document.js';

describe('templatesDocument', () => {
  const page = templatesDocument();

  it('lists the closed tables', () => {
    for (const name of ['`wordwrap`', '`divisibleby`', '`namespace`', '`setdefault`', '100,000'])
      expect(page).toContain(name);
  });

  it('has an example that renders', () => {
    const example = /```jinja\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    const event = {
      inputs: { question: 'Why?', messages: [{ role: 'user', content: 'Hi' }] },
      outputs: { answer: ' So. ' },
    };
    const prompt = parseTemplate(example).render({ metadata: {}, ...event });
    expect(prompt).toContain('Question: Why?\n\n- USER: Hi\n\nAnswer: So.\n');
  });
});
