import { traitsOf } from './metric-kinds.js';
import type { MetricDefinition } from './metric.js';

const CLOSE_OF: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}', '{#': '#}' };
const MENTION = /\[\[|double\s+(?:square\s+)?brackets/i;

/**
 * Returns whether a judge sends instructions on the form of the reply before the criteria of a metric: if the metric asks for
 * them, and unless it states otherwise, if the text of the criteria does not mention double brackets.
 */
export function addsInstructions(
  metric: Pick<MetricDefinition, 'type' | 'criteria' | 'add_instructions'>,
): boolean {
  const { criteria, add_instructions: asked } = metric;
  return traitsOf(metric).needsModel && (asked ?? !MENTION.test(textOf(criteria)));
}

/** The text of a template without its tags, whose code may contain lists of lists. */
function textOf(template: string): string {
  const texts: string[] = [];
  const opening = /\{[{%#]/g;
  let from = 0;
  for (let match = opening.exec(template); match; match = opening.exec(template)) {
    const end = template.indexOf(CLOSE_OF[match[0]] as string, match.index + 2);
    if (end < 0) break;
    texts.push(template.slice(from, match.index));
    opening.lastIndex = from = end + 2;
  }
  return [...texts, template.slice(from)].join(' ');
}
