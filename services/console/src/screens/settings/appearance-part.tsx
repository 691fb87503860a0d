import { setPreferences, usePreferences, type Preferences } from '../../theme/preferences.js';
import { zoneName } from '../../format/time.js';

interface Choice<Name extends keyof Preferences> {
  readonly name: Name;
  readonly title: string;
  readonly values: readonly (readonly [Preferences[Name], string])[];
}

const choice = <Name extends keyof Preferences>(one: Choice<Name>) =>
  one as unknown as Choice<keyof Preferences>;

const CHOICES = [
  choice({
    ...{ name: 'theme', title: 'Colours' },
    values: [
      ['system', 'as the system'],
      ['light', 'light'],
      ['dark', 'dark'],
    ],
  }),
  choice({
    ...{ name: 'zone', title: 'Times' },
    values: [
      ['local', `local (${zoneName('local')})`],
      ['utc', 'UTC'],
    ],
  }),
  choice({
    ...{ name: 'density', title: 'Rows' },
    values: [
      ['normal', 'normal'],
      ['dense', 'dense'],
    ],
  }),
  choice({
    ...{ name: 'singleKeys', title: 'Single-letter keys' },
    values: [
      [true, 'on'],
      [false, 'off'],
    ],
  }),
  choice({
    ...{ name: 'markdown', title: 'Messages' },
    values: [
      [true, 'with Markdown drawn'],
      [false, 'as they were written'],
    ],
  }),
];

/** How the console looks in this browser, whatever the project. */
export function AppearancePart() {
  const current = usePreferences();
  return (
    <section aria-label="Appearance">
      <p className="settings-note">In this browser, for every project.</p>
      {CHOICES.map(({ name, title, values }) => (
        <fieldset key={name} className="settings-row">
          <legend>{title}</legend>
          {values.map(([value, label]) => (
            <label key={label}>
              <input
                {...{ type: 'radio', name, checked: current[name] === value }}
                onChange={() => setPreferences({ [name]: value })}
              />{' '}
              {label}
            </label>
          ))}
        </fieldset>
      ))}
    </section>
  );
}
