import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseTemplate } from '@assay/templates/interpreter';
import { repository } from '../harness/stack/repository.js';
import { Prose, seeded } from './prose.js';

export interface TemplateFigures {
  readonly name: string;
  /** Length of the prompt. */
  readonly kilobytes: number;
  readonly renderings: number;
  /** CPU of a rendering of a parsed template. */
  readonly cpuMs: number;
}

interface Case {
  readonly name: string;
  readonly source: string;
  readonly variables: object;
}

const PROMPT_BYTES = 200_000;
const MESSAGES = 1_000;
const WARM_UP = 30;
const RENDERINGS = 100;
/** On a busy machine the limit of time ends what takes little CPU. */
const NO_CLOCK = { maxMs: Infinity };

/** Renders prompts of 200 KB, of which templates write more or less themselves. */
export async function* measureTemplates(): AsyncGenerator<TemplateFigures> {
  const prose = new Prose(join(repository, 'node_modules'), seeded(1));
  for (const { name, source, variables } of cases(prose)) {
    await nextTurn();
    const template = parseTemplate(source);
    let prompt = '';
    for (let count = 0; count < WARM_UP; count++) prompt = template.render(variables, NO_CLOCK);
    const before = process.cpuUsage();
    for (let count = 0; count < RENDERINGS; count++) prompt = template.render(variables, NO_CLOCK);
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1_000 / RENDERINGS;
    yield { name, kilobytes: Buffer.byteLength(prompt) / 1_000, renderings: RENDERINGS, cpuMs };
  }
}

function cases(prose: Prose): readonly Case[] {
  const text = prose.text(PROMPT_BYTES);
  const messages = Array.from({ length: MESSAGES }, (_, index) => ({
    role: index % 2 ? 'user' : 'assistant',
    content: prose.text(PROMPT_BYTES / MESSAGES),
  }));
  return [
    { name: 'one variable', source: 'Rate this:\n{{ inputs.text }}', variables: { inputs: { text } } },
    {
      name: 'a loop over 1,000 messages',
      source:
        '{% for m in inputs.messages %}{{ loop.index }}. {{ m.role|upper }}: {{ m.content|trim }}\n{% endfor %}',
      variables: { inputs: { messages } },
    },
    {
      name: 'JSON of 1,000 messages',
      source: '{{ inputs.messages|tojson }}',
      variables: { inputs: { messages } },
    },
    {
      name: 'filters on the whole text',
      source: '{{ inputs.text|replace("\\n", " ")|truncate(190000)|indent }}',
      variables: { inputs: { text } },
    },
  ];
}
