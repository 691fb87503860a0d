import { CASE_COST } from '../limits.js';
import { TemplateError } from '../template-error.js';
import { bind } from '../values/arguments.js';
import { calculate } from '../values/arithmetic.js';
import { compareValues, isEqual, isSame, numericOf, stringOf } from '../values/compare.js';
import { contains, iterableItems } from '../values/iterate.js';
import { textOf } from '../values/text.js';
import {
  Callable,
  Dict,
  List,
  Markup,
  Tuple,
  Undefined,
  View,
  refuseUndefined,
  type Value,
} from '../values/value.js';
import type { BuiltinContext, TestFunction } from './builtin.js';
import { FILTER_NAMES, TEST_NAMES } from '../builtin-names.js';

/** A test without arguments. */
function plain(test: (value: Value, context: BuiltinContext) => boolean): TestFunction {
  return (subject, args, context) => {
    bind(args, [], 'the test');
    return test(subject, context);
  };
}

function comparison(accepts: (order: number) => boolean): TestFunction {
  return (subject, args, { budget }) => {
    const other = bind(args, ['other'], 'the test').required('other');
    refuseUndefined(subject);
    refuseUndefined(other);
    return accepts(compareValues(subject, other, budget));
  };
}

function remainder(expected: bigint): TestFunction {
  return plain((value, { budget }) => isEqual(calculate('%', value, 2n, budget), expected, budget));
}

function hasName(names: ReadonlySet<string>): TestFunction {
  return plain((value) => typeof value === 'string' && names.has(value));
}

const equal: TestFunction = (subject, args, { budget }) =>
  isEqual(subject, bind(args, ['other'], 'the test').required('other'), budget);
const greater = comparison((order) => order > 0);
const less = comparison((order) => order < 0);
const isSequence = (value: Value) =>
  stringOf(value) !== undefined ||
  value instanceof List ||
  value instanceof Tuple ||
  value instanceof Dict ||
  value instanceof Undefined ||
  (value instanceof View && value.type === 'range');

/** A test of the case of a text: it changes nothing that the other case would. */
function caseTest(change: (text: string) => string, other: (text: string) => string): TestFunction {
  return plain((value, { budget }) => {
    const text = textOf(value, budget);
    budget.text(text.length * 2);
    budget.scan(CASE_COST * text.length);
    return change(text) === text && other(text) !== text;
  });
}

const toLower = (text: string) => text.toLowerCase();
const toUpper = (text: string) => text.toUpperCase();

const FUNCTIONS: Readonly<Record<string, TestFunction>> = {
  boolean: plain((value) => typeof value === 'boolean'),
  callable: plain((value) => value instanceof Callable || value instanceof Undefined),
  defined: plain((value) => !(value instanceof Undefined)),
  divisibleby: (subject, args, { budget }) => {
    const divisor = bind(args, ['num'], 'divisibleby').required('num');
    return isEqual(calculate('%', subject, divisor, budget), 0n, budget);
  },
  eq: equal,
  escaped: plain((value) => value instanceof Markup),
  even: remainder(0n),
  false: plain((value) => value === false),
  filter: hasName(FILTER_NAMES),
  float: plain((value) => typeof value === 'number'),
  ge: comparison((order) => order >= 0),
  gt: greater,
  in: (subject, args, { budget }) => contains(bind(args, ['seq'], 'in').required('seq'), subject, budget),
  integer: plain((value) => typeof value === 'bigint'),
  iterable: plain((value, { budget }) => iterableItems(value, budget) !== undefined),
  le: comparison((order) => order <= 0),
  lower: caseTest(toLower, toUpper),
  lt: less,
  mapping: plain((value) => value instanceof Dict),
  ne: (subject, args, context) => !equal(subject, args, context),
  none: plain((value) => value === null),
  number: plain((value) => numericOf(value) !== undefined),
  odd: remainder(1n),
  sameas: (subject, args) => isSame(subject, bind(args, ['other'], 'sameas').required('other')),
  sequence: plain(isSequence),
  string: plain((value) => stringOf(value) !== undefined),
  test: hasName(TEST_NAMES),
  true: plain((value) => value === true),
  undefined: plain((value) => value instanceof Undefined),
  upper: caseTest(toUpper, toLower),
};

const ALIASES: Readonly<Record<string, string>> = {
  equalto: 'eq',
  greaterthan: 'gt',
  lessthan: 'lt',
  '==': 'eq',
  '!=': 'ne',
  '>': 'gt',
  '>=': 'ge',
  '<': 'lt',
  '<=': 'le',
};

/** The closed table of tests, and the operators that `select` takes as names. */
export const TESTS: ReadonlyMap<string, TestFunction> = new Map([
  ...Array.from(TEST_NAMES, (name): [string, TestFunction] => [name, find(ALIASES[name] ?? name)]),
  ...Object.entries(ALIASES).map(([name, target]): [string, TestFunction] => [name, find(target)]),
]);

function find(name: string): TestFunction {
  const test = FUNCTIONS[name];
  if (test === undefined) throw new TemplateError(`no test named '${name}'`);
  return test;
}
