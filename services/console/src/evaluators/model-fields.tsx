import type { Definition } from './describe.js';
import { Field } from '../ui/field.js';
import { NumberField } from './number-field.js';
import { SelectField } from './select-field.js';

type Parameters = NonNullable<Definition['model_parameters']>;

interface Props {
  readonly content: Definition;
  readonly onChange: (change: Partial<Definition>) => void;
}

const NUMBERS = [
  ['top_p', 'Top p'],
  ['max_tokens', 'Most tokens of a reply'],
  ['max_completion_tokens', 'The same, for models that reason'],
  ['frequency_penalty', 'Frequency penalty'],
  ['presence_penalty', 'Presence penalty'],
  ['seed', 'Seed'],
] as const;
const TEMPERATURES: Readonly<Record<string, string>> = { number: 'the number beside', none: 'send none' };
const INSTRUCTIONS: Readonly<Record<string, string>> = {
  auto: 'unless the criteria mention double brackets',
  true: 'always',
  false: 'never',
};

/** Which model judges, and how it is asked. */
export function ModelFields({ content, onChange }: Props) {
  const parameters: Parameters = content.model_parameters ?? {};
  const set = (change: Partial<Record<keyof Parameters, unknown>>) => {
    const entries = Object.entries({ ...parameters, ...change }).filter(([, value]) => value !== undefined);
    onChange({ model_parameters: Object.fromEntries(entries) });
  };
  const { temperature, stop } = parameters;
  return (
    <fieldset className="evaluator-rows evaluator-model">
      <legend>Model</legend>
      <Field
        {...{ label: 'Provider', value: content.model_provider ?? '', maxLength: 200 }}
        onChange={(text) => onChange({ model_provider: text === '' ? null : text })}
      />
      <Field
        {...{ label: 'Model', value: content.model_name ?? '', maxLength: 200 }}
        onChange={(text) => onChange({ model_name: text === '' ? null : text })}
      />
      <SelectField
        {...{ label: 'Temperature', value: temperature === null ? 'none' : 'number', options: TEMPERATURES }}
        onChange={(choice) => set({ temperature: choice === 'none' ? null : undefined })}
      />
      {temperature !== null && (
        <NumberField
          {...{ label: 'Number; 0 when empty', value: temperature, min: 0, max: 2 }}
          onChange={(value) => set({ temperature: value })}
        />
      )}
      {NUMBERS.map(([name, label]) => (
        <NumberField
          key={name}
          {...{ label, value: parameters[name] }}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <Field
        {...{ label: 'Text that ends a reply', value: [stop ?? ''].flat().join('\n'), maxLength: 200 }}
        onChange={(text) => set({ stop: text === '' ? undefined : text })}
      />
      <SelectField
        {...{ label: 'Instructions on the form of the reply', options: INSTRUCTIONS }}
        value={String(content.add_instructions ?? 'auto')}
        onChange={(choice) =>
          onChange({ add_instructions: choice === 'auto' ? undefined : choice === 'true' })
        }
      />
    </fieldset>
  );
}
