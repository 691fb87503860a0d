import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createTemplateWorkers, type TemplateRenderer } from '@assay/templates';
import { parseTemplate } from '@assay/templates/interpreter';
import { repository } from '../harness/stack/repository.js';
import { Prose, seeded } from './prose.js';
import { percentile } from './send-load.js';

export interface TemplateFigures {
  readonly name: string;
  /** Length of the prompt. */
  readonly kilobytes: number;
  readonly renderings: number;
  /** CPU of a rendering of a parsed template. */
  readonly cpuMs: number;
  /** Medians of milliseconds that pass: in this thread, through a worker, and through a worker with 16 renderings at a time. */
  readonly hereMs: number;
  readonly workerMs: number;
  readonly batchMs: number;
}

interface Case {
  readonly name: string;
  readonly source: string;
  readonly variables: object;
}

const PROMPT_BYTES = 200_000;
const MESSAGES = 1_000;
/** Until both threads run optimized code. */
const WARM_UP = 300;
const RENDERINGS = 320;
/** Renderings that may share a message. */
const BATCH = 16;
/** On a busy machine the limit of time ends what takes little CPU. */
const NO_CLOCK = { maxMs: Infinity };

/** Renders prompts of events of common sizes, and prompts of 200 KB, of which templates write more or less themselves. */
export async function* measureTemplates(): AsyncGenerator<TemplateFigures> {
  const prose = new Prose(join(repository, 'node_modules'), seeded(1));
  const workers = createTemplateWorkers();
  try {
    for (const one of [...eventCases(prose), ...largeCases(prose)]) {
      await nextTurn();
      yield { ...measureHere(one), ...(await measureWorkers(workers, one)) };
    }
  } finally {
    await workers.close();
  }
}

function measureHere({ name, source, variables }: Case) {
  const template = parseTemplate(source);
  let prompt = '';
  for (let count = 0; count < WARM_UP; count++) prompt = template.render(variables, NO_CLOCK);
  const before = process.cpuUsage();
  const times: number[] = [];
  for (let count = 0; count < RENDERINGS; count++) {
    const startedAt = performance.now();
    prompt = template.render(variables, NO_CLOCK);
    times.push(performance.now() - startedAt);
  }
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1_000 / RENDERINGS;
  const kilobytes = Buffer.byteLength(prompt) / 1_000;
  return { name, kilobytes, renderings: RENDERINGS, cpuMs, hereMs: median(times) };
}

async function measureWorkers(workers: TemplateRenderer, { source, variables }: Case) {
  const render = () => workers.render('bench', source, variables);
  const together = () => Promise.all(Array.from({ length: BATCH }, render));
  const [alone, batches]: [number[], number[]] = [[], []];
  for (let count = 0; count < WARM_UP; count++) await render();
  for (let count = 0; count < RENDERINGS; count++) alone.push(await timeOf(render));
  for (let count = 0; count < RENDERINGS; count += BATCH) batches.push((await timeOf(together)) / BATCH);
  return { workerMs: median(alone), batchMs: median(batches) };
}

async function timeOf(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await call();
  return performance.now() - startedAt;
}

function median(times: readonly number[]): number {
  return percentile(
    [...times].sort((a, b) => a - b),
    0.5,
  );
}

function eventCases(prose: Prose): readonly Case[] {
  const source =
    'Question: {{ inputs.question }}\n{% for m in inputs.messages %}{{ m.role }}: {{ m.content|trim }}\n{% endfor %}' +
    'Answer: {{ outputs.answer }}\nRate the answer from 1 to 5. End with the rating, like [[3]].';
  return [1_000, 10_000, 50_000].map((bytes) => {
    const content = () => prose.text(bytes / 12);
    const messages = Array.from({ length: 10 }, (_, index) => ({
      role: index % 2 ? 'user' : 'assistant',
      content: content(),
    }));
    const event = { inputs: { question: content(), messages }, outputs: { answer: content() } };
    return { name: `an event of ${bytes / 1_000} KB`, source, variables: { ...event, event } };
  });
}

function largeCases(prose: Prose): readonly Case[] {
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
