import { Field } from '../ui/field.js';
import { mappingOf, type MappingTexts } from './mapping.js';

interface Props {
  readonly texts: MappingTexts;
  readonly onChange: (texts: MappingTexts) => void;
}

const FIELDS = [
  { part: 'inputs', label: 'Inputs from', placeholder: 'inputs' },
  { part: 'history', label: 'History from', placeholder: 'inputs.chat_history' },
  { part: 'ground_truth', label: 'Expected output from', placeholder: 'feedback.ground_truth, else outputs' },
] as const;

/** Which fields of events become which parts of a datapoint. */
export function MappingFields({ texts, onChange }: Props) {
  const isDefault = mappingOf(texts) === undefined;
  return (
    <>
      {FIELDS.map(({ part, label, placeholder }) => (
        <Field
          key={part}
          {...{
            label,
            placeholder: isDefault ? placeholder : 'nothing',
            value: texts[part],
            autoComplete: 'off',
            spellCheck: false,
          }}
          onChange={(text) => onChange({ ...texts, [part]: text })}
        />
      ))}
      <p className="field-hint">
        Fields of events such as inputs.question, separated by commas. With all empty, those in grey are used.
      </p>
    </>
  );
}
