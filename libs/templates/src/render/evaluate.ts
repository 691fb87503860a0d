import { FILTERS } from '../builtins/filters.js';
import { FUNCTIONS, callValue } from '../builtins/functions.js';
import { methodOf } from '../builtins/methods.js';
import { TESTS } from '../builtins/tests.js';
import { NO_ARGS, type BuiltinContext } from '../builtins/builtin.js';
import type { Budget } from '../limits.js';
import type * as nodes from '../syntax/nodes.js';
import { TemplateError } from '../template-error.js';
import { calculate, negate } from '../values/arithmetic.js';
import { compareValues, isEqual, isTruthy } from '../values/compare.js';
import { contains, itemsOf } from '../values/iterate.js';
import { attributeOf, itemOf, sliceOf } from '../values/subscript.js';
import { textOf } from '../values/text.js';
import {
  Dict,
  List,
  Tuple,
  Undefined,
  orElse,
  refuseUndefined,
  type CallArguments,
  type Value,
} from '../values/value.js';
import type { Scope } from './scope.js';

/** Evaluates expressions of a syntax tree. */
export class Evaluator {
  private readonly builtins: BuiltinContext;

  constructor(readonly budget: Budget) {
    this.builtins = {
      budget,
      filter: (name, subject, args) => this.applyFilter(name, subject, args),
      test: (name, subject, args) => this.applyTest(name, subject, args),
    };
  }

  evaluate(node: nodes.Expression, scope: Scope): Value {
    this.budget.step();
    switch (node.kind) {
      case 'constant':
        return node.value;
      case 'name':
        return orElse(
          scope.get(node.name),
          () => FUNCTIONS.get(node.name) ?? new Undefined(`'${node.name}'`),
        );
      case 'attribute':
        return this.attribute(node, scope);
      case 'item':
        return this.item(node, scope);
      case 'call':
        return callValue(this.callee(node.callee, scope), this.args(node.args, scope), this.budget);
      case 'filter':
        return this.filter(node, this.subject(node, scope), scope);
      case 'test':
        return this.applyTest(node.name, this.evaluate(node.subject, scope), this.args(node.args, scope));
      default:
        return this.evaluateOperator(node, scope);
    }
  }

  /** The arguments of a call, in order of their appearance. */
  args({ positional, named, spread, spreadNamed }: nodes.Arguments, scope: Scope): CallArguments {
    if (positional.length + named.length === 0 && !spread && !spreadNamed) return NO_ARGS;
    const values = positional.map((value) => this.evaluate(value, scope));
    const names = new Map(named.map(([name, value]) => [name, this.evaluate(value, scope)]));
    if (spread) values.push(...itemsOf(this.evaluate(spread, scope), this.budget));
    if (spreadNamed) this.spreadNames(this.evaluate(spreadNamed, scope), names);
    return { positional: values, named: names };
  }

  /** Applies a filter to a subject. */
  filter(node: nodes.Filter, subject: Value, scope: Scope): Value {
    return this.applyFilter(node.name, subject, this.args(node.args, scope));
  }

  private spreadNames(value: Value, names: Map<string, Value>): void {
    if (!(value instanceof Dict)) throw new TemplateError("'**' needs a dict");
    this.budget.items(value.size);
    for (const [name, item] of value.pairs()) {
      if (typeof name !== 'string' || names.has(name))
        throw new TemplateError("'**' has a key that is not a new name");
      names.set(name, item);
    }
  }

  private applyFilter(name: string, subject: Value, args: CallArguments): Value {
    this.budget.step();
    const filter = FILTERS.get(name);
    if (!filter) throw new TemplateError(`no filter named '${name}'`);
    return filter(subject, args, this.builtins);
  }

  private applyTest(name: string, subject: Value, args: CallArguments): boolean {
    this.budget.step();
    const test = TESTS.get(name);
    if (!test) throw new TemplateError(`no test named '${name}'`);
    return test(subject, args, this.builtins);
  }

  private subject({ subject }: nodes.Filter, scope: Scope): Value {
    return subject === undefined ? '' : this.evaluate(subject, scope);
  }

  private attribute({ target, name }: nodes.Attribute, scope: Scope): Value {
    const value = this.evaluate(target, scope);
    if (value instanceof Undefined)
      throw new TemplateError(`${value.hint} is undefined, so it has no attribute '${name}'`);
    return attributeOf(value, name, this.budget);
  }

  private item({ target, index }: nodes.Item, scope: Scope): Value {
    const value = this.evaluate(target, scope);
    if (index.kind !== 'slice') return itemOf(value, this.evaluate(index, scope), this.budget);
    const bound = (node: nodes.Expression | undefined) =>
      node === undefined ? null : this.evaluate(node, scope);
    return sliceOf(
      value,
      { start: bound(index.start), stop: bound(index.stop), step: bound(index.step) },
      this.budget,
    );
  }

  /** What is called: a method of a closed table has precedence over a key of the same name. */
  private callee(node: nodes.Expression, scope: Scope): Value {
    if (node.kind !== 'attribute') return this.evaluate(node, scope);
    const target = this.evaluate(node.target, scope);
    refuseUndefined(target);
    return methodOf(target, node.name) ?? attributeOf(target, node.name, this.budget);
  }

  private evaluateOperator(
    node: Exclude<
      nodes.Expression,
      nodes.Constant | nodes.Name | nodes.Attribute | nodes.Item | nodes.Call | nodes.Filter | nodes.Test
    >,
    scope: Scope,
  ): Value {
    switch (node.kind) {
      case 'unary':
        return this.unary(node, scope);
      case 'binary':
        return calculate(
          node.operator,
          this.evaluate(node.left, scope),
          this.evaluate(node.right, scope),
          this.budget,
        );
      case 'logical':
        return this.logical(node, scope);
      case 'compare':
        return this.compare(node, scope);
      case 'concat':
        return this.concat(node, scope);
      case 'conditional':
        return this.conditional(node, scope);
      case 'list':
        return new List(node.items.map((item) => this.evaluate(item, scope)));
      case 'tuple':
        return new Tuple(node.items.map((item) => this.evaluate(item, scope)));
      case 'dict':
        return this.dict(node, scope);
      case 'slice':
      case 'namespaceRef':
        throw new TemplateError('a slice stands for one index');
    }
  }

  private unary({ operator, operand }: nodes.Unary, scope: Scope): Value {
    const value = this.evaluate(operand, scope);
    return operator === 'not' ? !isTruthy(value) : negate(value, operator);
  }

  private logical({ operator, left, right }: nodes.Logical, scope: Scope): Value {
    const value = this.evaluate(left, scope);
    return isTruthy(value) === (operator === 'or') ? value : this.evaluate(right, scope);
  }

  private conditional({ test, then, otherwise }: nodes.Conditional, scope: Scope): Value {
    if (isTruthy(this.evaluate(test, scope))) return this.evaluate(then, scope);
    return otherwise ? this.evaluate(otherwise, scope) : new Undefined('an inline if without else');
  }

  private concat({ items }: nodes.Concat, scope: Scope): string {
    const parts = items.map((item) => textOf(this.evaluate(item, scope), this.budget));
    this.budget.text(parts.reduce((sum, part) => sum + part.length, 0));
    return parts.join('');
  }

  private dict({ items }: nodes.DictLiteral, scope: Scope): Dict {
    const dict = new Dict();
    for (const [key, value] of items)
      dict.set(this.evaluate(key, scope), this.evaluate(value, scope), this.budget);
    return dict;
  }

  private compare({ first, rest }: nodes.Compare, scope: Scope): boolean {
    let left = this.evaluate(first, scope);
    return rest.every(({ operator, operand }) => {
      const right = this.evaluate(operand, scope);
      const holds = this.compareTwo(operator, left, right);
      left = right;
      return holds;
    });
  }

  private compareTwo(operator: nodes.CompareOperator, left: Value, right: Value): boolean {
    switch (operator) {
      case '==':
        return isEqual(left, right, this.budget);
      case '!=':
        return !isEqual(left, right, this.budget);
      case 'in':
        return contains(right, left, this.budget);
      case 'not in':
        return !contains(right, left, this.budget);
      default:
        return this.isOrdered(operator, left, right);
    }
  }

  private isOrdered(operator: '<' | '<=' | '>' | '>=', left: Value, right: Value): boolean {
    refuseUndefined(left);
    refuseUndefined(right);
    const order = compareValues(left, right, this.budget);
    if (operator === '<') return order < 0;
    if (operator === '<=') return order <= 0;
    return operator === '>' ? order > 0 : order >= 0;
  }
}
