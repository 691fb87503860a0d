import type { Value } from '../values/value.js';

/** Variables of a template, a loop, a macro or a `with` block, and those around it. */
export class Scope {
  private readonly variables = new Map<string, Value>();

  constructor(private readonly parent?: Scope) {}

  get(name: string): Value | undefined {
    const value = this.variables.get(name);
    return value === undefined ? this.parent?.get(name) : value;
  }

  set(name: string, value: Value): void {
    this.variables.set(name, value);
  }
}
