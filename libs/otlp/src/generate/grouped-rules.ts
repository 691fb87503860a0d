import type { AttributeRule } from '../conventions/rule.js';
import { SEVERAL_FIELDS, targetText } from './target-text.js';

/** Rules of a convention that a reader sees as one item: the same targets, the same description. */
export interface RuleGroup {
  /** In order of precedence. */
  readonly keys: readonly string[];
  readonly targets: readonly string[];
  /** Empty where the names say it. */
  readonly about: string;
}

/**
 * Groups rules of the same targets and description.
 * A rule joins a group only across rules of other fields, so that the document lists the attributes of a field in order of precedence.
 */
export function groupedRules(rules: readonly AttributeRule[]): RuleGroup[] {
  const groups: { keys: string[]; targets: string[]; about: string; last: number }[] = [];
  const targets = rules.map(targetsOf);
  rules.forEach(({ key, about = '' }, index) => {
    const own = targets[index] ?? [];
    const group = groups.findLast((other) => other.targets.join() === own.join() && other.about === about);
    const between = group === undefined ? [] : targets.slice(group.last + 1, index);
    if (group === undefined || between.some((others) => overlap(others, own)))
      groups.push({ keys: [key], targets: own, about, last: index });
    else {
      group.keys.push(key);
      group.last = index;
    }
  });
  return groups;
}

function targetsOf(rule: AttributeRule): string[] {
  const targets = [rule.to, ...(rule.also ?? []).map(({ to }) => to)].map(targetText);
  if (rule.keep) targets.push(OWN_KEY);
  return [...new Set(targets)];
}

const OWN_KEY = 'own key';

function overlap(left: readonly string[], right: readonly string[]): boolean {
  return left.some((a) => right.some((b) => a !== OWN_KEY && (a === b || contains(a, b) || contains(b, a))));
}

/** Whether the first text stands for fields that it does not name, among which the second may be. */
function contains(target: string, other: string): boolean {
  if (target === SEVERAL_FIELDS) return true;
  return target.endsWith('.*`') && other.startsWith(target.slice(0, -2));
}
