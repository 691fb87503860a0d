import {
  afterWindow,
  alertOutcome,
  comparedValue,
  INITIAL_ALERT_PROGRESS,
  type AlertPolicy,
  type AlertOutcome,
} from './alert.js';

const POLICY: AlertPolicy = { for_windows: 2, resolve_windows: 2, no_data: 'alert' };

function statesOf(outcomes: readonly AlertOutcome[], policy: Partial<AlertPolicy> = {}): string[] {
  let progress = INITIAL_ALERT_PROGRESS;
  return outcomes.map((outcome) => {
    progress = afterWindow(progress, outcome, { ...POLICY, ...policy });
    return progress.state;
  });
}

describe('the state of an alert', () => {
  it('fires after enough windows in a row, and ends after enough clear ones', () => {
    expect(statesOf(['breach', 'clear', 'breach', 'breach', 'clear', 'breach', 'clear', 'clear'])).toEqual([
      ...['pending', 'ok', 'pending', 'firing'],
      ...['firing', 'firing', 'firing', 'ok'],
    ]);
  });

  it('stays between the thresholds', () => {
    expect(
      statesOf(['breach', 'between', 'breach', 'breach', 'between', 'clear', 'between', 'clear']),
    ).toEqual(['pending', 'ok', 'pending', 'firing', 'firing', 'firing', 'firing', 'firing']);
  });

  it.each([
    ['alert', ['firing', 'no_data', 'firing', 'firing']],
    ['keep', ['firing', 'firing', 'firing', 'firing']],
    ['breach', ['firing', 'firing', 'firing', 'firing']],
    ['ok', ['firing', 'ok', 'pending', 'firing']],
  ] as const)('without data is as the policy %s says', (no_data, states) => {
    const windows = ['breach', 'breach', 'no_data', 'breach', 'breach'] as const;
    expect(statesOf(windows, { no_data, resolve_windows: 1 }).slice(1)).toEqual(states);
  });

  it.each<readonly [string, readonly AlertOutcome[], string]>([
    ['ends no alert', ['breach', 'breach', 'no_data', 'between'], 'firing'],
    ['is no clear window', ['breach', 'breach', 'clear', 'no_data', 'clear'], 'firing'],
    ['ends nothing for longer than it lasts', ['breach', 'breach', 'no_data', 'clear', 'clear'], 'ok'],
    ['ends no row of windows that breach', ['breach', 'no_data', 'breach'], 'firing'],
    ['is no window that breaches', ['breach', 'no_data', 'no_data'], 'no_data'],
  ])('without data %s', (_title, windows, state) => {
    expect(statesOf(windows).at(-1)).toBe(state);
  });
});

describe('the outcome of a window', () => {
  const above = { operator: 'above', compare: 'value', threshold: 10, resolve_threshold: 5 } as const;

  it('is by both thresholds, which are no breach themselves', () => {
    expect([11, 10, 6, 5, null].map((value) => alertOutcome(above, value))).toEqual([
      ...['breach', 'between', 'between', 'clear', 'no_data'],
    ]);
    const below = { ...above, operator: 'below', resolve_threshold: null } as const;
    expect([9, 10].map((value) => alertOutcome(below, value))).toEqual(['breach', 'clear']);
  });

  it('compares the change in percent, which needs a value before that is not 0', () => {
    expect(comparedValue('change', 15, 10)).toBe(50);
    expect(comparedValue('change', -5, -10)).toBe(50);
    expect([null, 0].map((before) => comparedValue('change', 15, before))).toEqual([null, null]);
    expect(comparedValue('value', 15, null)).toBe(15);
  });
});
