import { providerStates } from './provider-states.js';

const UNTIL = '2026-11-01T00:00:00.000Z';
const LATER = '2026-11-01T00:05:00.000Z';
const failing = (name: string, paused_until: string | null = null, fields = {}) => ({
  ...{ project_id: 'a', name, is_own: false, paused_until },
  ...fields,
});
const state = (name: string, paused_until: string | null, is = paused_until ? 'paused' : 'failing') => ({
  ...{ name, state: is, paused_until },
});
const available = (name: string) => state(name, null, 'available');

it.each([
  ['nothing', [], [available('proxy'), available('openai')]],
  ['a failure', [failing('openai')], [available('proxy'), state('openai', null)]],
  ['a pause', [failing('openai', UNTIL)], [available('proxy'), state('openai', UNTIL)]],
  [
    'names of the proxy',
    [failing('x'), failing('y', UNTIL), failing('z', LATER)],
    [state('proxy', LATER), available('openai')],
  ],
  [
    'an endpoint of the project',
    [failing('mine', UNTIL, { is_own: true })],
    [available('proxy'), available('openai'), state('mine', UNTIL)],
  ],
  [
    'failures of other projects',
    [
      failing('openai', UNTIL, { project_id: 'b' }),
      failing('theirs', UNTIL, { project_id: 'b', is_own: true }),
    ],
    [available('proxy'), available('openai')],
  ],
  ['a provider called proxy', [failing('proxy', UNTIL)], [state('proxy', UNTIL), available('openai')]],
])('shows a project the providers of its own calls after %s', (_, failing_providers, expected) => {
  expect(providerStates({ providers: ['proxy', 'openai'], failing_providers }, 'a')).toEqual(expected);
});

it('shows no states of an evaluator that does not report them', () => {
  expect(providerStates({ providers: ['openai'] }, 'a')).toBeNull();
});
