import { printName } from '../format/name.js';
import type { Definition } from './describe.js';
import { NumberField } from './number-field.js';
import { SelectField } from './select-field.js';

type Threshold = Definition['threshold'];

interface Props {
  readonly content: Definition;
  readonly onChange: (threshold: Threshold) => void;
}

/** Which scores pass: a range, one of yes and no, or some categories. */
export function ThresholdFields({ content, onChange }: Props) {
  const { return_type: type, threshold } = content;
  const set = (change: object) => onChange(withoutEmpty({ ...threshold, ...change }));
  if (type === 'string') return null;
  if (type === 'boolean')
    return (
      <SelectField
        {...{ label: 'Passes', value: passText(threshold?.pass_when), options: PASSES }}
        onChange={(value) => set({ pass_when: value === 'any' ? undefined : value === 'true' })}
      />
    );
  if (type === 'categorical')
    return (
      <PassingCategories
        {...{ categories: content.categories ?? [], passing: threshold?.passing_categories ?? [] }}
        onChange={(passing) => set({ passing_categories: passing.length === 0 ? undefined : passing })}
      />
    );
  return (
    <div className="evaluator-pair">
      <NumberField {...{ label: 'Passes from', value: threshold?.min }} onChange={(min) => set({ min })} />
      <NumberField {...{ label: 'Passes up to', value: threshold?.max }} onChange={(max) => set({ max })} />
    </div>
  );
}

const passText = (when: boolean | number | undefined) => (when === undefined ? 'any' : String(Boolean(when)));

const PASSES: Readonly<Record<string, string>> = { any: 'every score', true: 'yes', false: 'no' };

interface PassingProps {
  readonly categories: NonNullable<Definition['categories']>;
  readonly passing: readonly string[];
  readonly onChange: (passing: string[]) => void;
}

function PassingCategories({ categories, passing, onChange }: PassingProps) {
  const names = categories.map(({ category }) => category);
  const toggle = (name: string) => onChange(names.filter((one) => (one === name) !== passing.includes(one)));
  return (
    <fieldset className="evaluator-rows">
      <legend>Passing categories; without any, every one</legend>
      {[...new Set(names)].map((name) => (
        <label key={name}>
          <input type="checkbox" checked={passing.includes(name)} onChange={() => toggle(name)} />{' '}
          <bdi title={name}>{printName(name)}</bdi>
        </label>
      ))}
    </fieldset>
  );
}

function withoutEmpty(threshold: object): Threshold {
  const entries = Object.entries(threshold).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
