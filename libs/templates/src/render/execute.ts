import { callValue } from '../builtins/functions.js';
import type { Budget } from '../limits.js';
import type * as nodes from '../syntax/nodes.js';
import { TemplateError } from '../template-error.js';
import { isTruthy } from '../values/compare.js';
import { itemsOf } from '../values/iterate.js';
import { textOf } from '../values/text.js';
import {
  Callable,
  Dict,
  Namespace,
  Tuple,
  Undefined,
  orElse,
  type CallArguments,
  type Value,
} from '../values/value.js';
import type { Evaluator } from './evaluate.js';
import { createLoop } from './loop.js';
import { Output } from './output.js';
import { Scope } from './scope.js';

/** Executes statements of a syntax tree. */
export class Executor {
  constructor(private readonly evaluator: Evaluator) {}

  private get budget() {
    return this.evaluator.budget;
  }

  run(statements: readonly nodes.Statement[], scope: Scope, output: Output): void {
    for (const statement of statements) {
      try {
        this.budget.step();
        this.execute(statement, scope, output);
      } catch (error) {
        if (error instanceof TemplateError) error.line ??= statement.line;
        throw error;
      }
    }
  }

  private execute(node: nodes.Statement, scope: Scope, output: Output): void {
    switch (node.kind) {
      case 'data':
        return output.write(node.text);
      case 'output':
        return output.write(textOf(this.evaluator.evaluate(node.expression, scope), this.budget));
      case 'if':
        return this.runIf(node, scope, output);
      case 'for':
        return this.runFor(node, scope, output);
      case 'set':
        return this.assign(node.target, this.evaluator.evaluate(node.value, scope), scope);
      case 'setBlock':
        return this.setBlock(node, scope);
      case 'with':
        return this.runWith(node, scope, output);
      case 'macro':
        return scope.set(node.name, this.macro(node, scope));
      case 'callBlock':
        return this.callBlock(node, scope, output);
      case 'filterBlock':
        return this.filterBlock(node, scope, output);
      case 'block':
        return this.run(node.body, new Scope(scope), output);
    }
  }

  /** Text that statements write. */
  private capture(statements: readonly nodes.Statement[], scope: Scope): string {
    const output = new Output(this.budget);
    this.budget.nested(() => this.run(statements, scope, output));
    const text = output.text();
    this.budget.text(text.length);
    return text;
  }

  private runIf({ branches, otherwise }: nodes.If, scope: Scope, output: Output): void {
    const branch = branches.find(({ test }) => isTruthy(this.evaluator.evaluate(test, scope)));
    this.run(branch?.body ?? otherwise, scope, output);
  }

  private runFor(node: nodes.For, scope: Scope, output: Output): void {
    const iterable = this.evaluator.evaluate(node.iterable, scope);
    this.iterate(node, { iterable, scope, depth: 1 }, output);
  }

  private iterate(
    node: nodes.For,
    { iterable, scope, depth }: { readonly iterable: Value; readonly scope: Scope; readonly depth: number },
    output: Output,
  ): void {
    const items = this.loopItems(node, iterable, scope);
    const recurse = (inner: Value): string => {
      const captured = new Output(this.budget);
      this.budget.nested(() => this.iterate(node, { iterable: inner, scope, depth: depth + 1 }, captured));
      const text = captured.text();
      this.budget.text(text.length);
      return text;
    };
    const { loop, moveTo } = createLoop(items, depth, node.recursive ? recurse : undefined);
    for (let index = 0; index < items.length; index++) {
      this.budget.step();
      const inner = new Scope(scope);
      moveTo(index);
      inner.set('loop', loop);
      this.assign(node.target, items[index] as Value, inner);
      this.run(node.body, inner, output);
    }
    if (items.length === 0) this.run(node.otherwise, new Scope(scope), output);
  }

  /** Items of a loop; only those that its condition keeps. */
  private loopItems({ target, test }: nodes.For, iterable: Value, scope: Scope): readonly Value[] {
    const items = itemsOf(iterable, this.budget);
    if (test === undefined) return items;
    return items.filter((item) => {
      const inner = new Scope(scope);
      this.assign(target, item, inner);
      return isTruthy(this.evaluator.evaluate(test, inner));
    });
  }

  private assign(target: nodes.Target, value: Value, scope: Scope): void {
    if (target.kind === 'name') return scope.set(target.name, value);
    if (target.kind === 'namespaceRef') {
      const namespace = scope.get(target.name);
      if (!(namespace instanceof Namespace)) throw new TemplateError(`'${target.name}' is not a namespace`);
      namespace.attributes.set(target.attribute, value);
      return;
    }
    const items = itemsOf(value, this.budget);
    if (items.length !== target.items.length)
      throw new TemplateError(`expected ${target.items.length} values to unpack, got ${items.length}`);
    target.items.forEach((item, index) => this.assign(item as nodes.Target, items[index] as Value, scope));
  }

  private setBlock({ target, filter, body }: nodes.AssignBlock, scope: Scope): void {
    const text = this.capture(body, new Scope(scope));
    this.assign(target, filter ? this.applyChain(filter, text, scope) : text, scope);
  }

  private filterBlock({ filter, body }: nodes.FilterBlock, scope: Scope, output: Output): void {
    const text = this.capture(body, new Scope(scope));
    output.write(textOf(this.applyChain(filter, text, scope), this.budget));
  }

  private applyChain(filter: nodes.Filter, text: string, scope: Scope): Value {
    const subject =
      filter.subject === undefined ? text : this.applyChain(filter.subject as nodes.Filter, text, scope);
    return this.evaluator.filter(filter, subject, scope);
  }

  private runWith({ assignments, body }: nodes.With, scope: Scope, output: Output): void {
    const inner = new Scope(scope);
    for (const [target, value] of assignments)
      this.assign(target, this.evaluator.evaluate(value, scope), inner);
    this.run(body, inner, output);
  }

  private callBlock({ call, macro }: nodes.CallBlock, scope: Scope, output: Output): void {
    const callee = this.evaluator.evaluate(call.callee, scope);
    const { positional, named } = this.evaluator.args(call.args, scope);
    const args = { positional, named: new Map([...named, ['caller', this.macro(macro, scope)]]) };
    output.write(textOf(callValue(callee, args, this.budget), this.budget));
  }

  private macro(node: nodes.Macro, scope: Scope): Callable {
    return new Callable(
      node.name,
      (args) => this.capture(node.body, this.macroScope(node, args, scope)),
      (name) => (name === 'name' ? node.name : undefined),
    );
  }

  private macroScope({ name, signature, mentions }: nodes.Macro, args: CallArguments, outer: Scope): Scope {
    const { parameters } = signature;
    const scope = new Scope(outer);
    const named = new Map(args.named);
    parameters.forEach(({ name: parameter, fallback }, index) => {
      const value = index < args.positional.length ? args.positional[index] : named.get(parameter);
      if (index >= args.positional.length) named.delete(parameter);
      scope.set(
        parameter,
        orElse(value, () =>
          fallback ? this.evaluator.evaluate(fallback, scope) : new Undefined(`'${parameter}'`),
        ),
      );
    });
    if (mentions.has('caller')) {
      scope.set(
        'caller',
        orElse(named.get('caller'), () => new Undefined("'caller'")),
      );
      named.delete('caller');
    }
    const rest = args.positional.slice(parameters.length);
    if (mentions.has('varargs')) scope.set('varargs', new Tuple(rest));
    else if (rest.length > 0)
      throw new TemplateError(`the macro '${name}' takes at most ${parameters.length} arguments`);
    if (mentions.has('kwargs')) scope.set('kwargs', dictOf(named, this.budget));
    else if (named.size > 0)
      throw new TemplateError(`the macro '${name}' has no argument '${Array.from(named.keys())[0]}'`);
    return scope;
  }
}

function dictOf(named: ReadonlyMap<string, Value>, budget: Budget): Dict {
  const dict = new Dict();
  for (const [name, value] of named) dict.set(name, value, budget);
  return dict;
}
