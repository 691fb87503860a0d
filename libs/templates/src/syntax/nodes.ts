/** Fields of every node of the syntax tree. */
interface Node<Kind extends string> {
  readonly kind: Kind;
  readonly line: number;
  /** Number of nodes on the longest way down: bounds the recursion of the interpreter. */
  readonly depth: number;
}

/** A constant: an integer is a bigint, a float a number. */
export interface Constant extends Node<'constant'> {
  readonly value: string | number | bigint | boolean | null;
}
export interface Name extends Node<'name'> {
  readonly name: string;
}
/** Target `namespace.attribute` of an assignment. */
export interface NamespaceRef extends Node<'namespaceRef'> {
  readonly name: string;
  readonly attribute: string;
}
export interface TupleLiteral extends Node<'tuple'> {
  readonly items: readonly Expression[];
}
export interface ListLiteral extends Node<'list'> {
  readonly items: readonly Expression[];
}
export interface DictLiteral extends Node<'dict'> {
  readonly items: readonly (readonly [key: Expression, value: Expression])[];
}
export interface Unary extends Node<'unary'> {
  readonly operator: '-' | '+' | 'not';
  readonly operand: Expression;
}
export type BinaryOperator = '+' | '-' | '*' | '/' | '//' | '%' | '**';
export interface Binary extends Node<'binary'> {
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}
export interface Logical extends Node<'logical'> {
  readonly operator: 'and' | 'or';
  readonly left: Expression;
  readonly right: Expression;
}
export interface Concat extends Node<'concat'> {
  readonly items: readonly Expression[];
}
export type CompareOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';
export interface Compare extends Node<'compare'> {
  readonly first: Expression;
  readonly rest: readonly { readonly operator: CompareOperator; readonly operand: Expression }[];
}
export interface Conditional extends Node<'conditional'> {
  readonly test: Expression;
  readonly then: Expression;
  readonly otherwise: Expression | undefined;
}
export interface Attribute extends Node<'attribute'> {
  readonly target: Expression;
  readonly name: string;
}
export interface Item extends Node<'item'> {
  readonly target: Expression;
  readonly index: Expression;
}
export interface Slice extends Node<'slice'> {
  readonly start: Expression | undefined;
  readonly stop: Expression | undefined;
  readonly step: Expression | undefined;
}
/** Arguments of a call, a filter or a test. */
export interface Arguments {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [name: string, value: Expression])[];
  readonly spread: Expression | undefined;
  readonly spreadNamed: Expression | undefined;
}
export interface Call extends Node<'call'> {
  readonly callee: Expression;
  readonly args: Arguments;
}
export interface Filter extends Node<'filter'> {
  /** Undefined in a filter block, whose body is the subject. */
  readonly subject: Expression | undefined;
  readonly name: string;
  readonly args: Arguments;
}
export interface Test extends Node<'test'> {
  readonly subject: Expression;
  readonly name: string;
  readonly args: Arguments;
}
export type Expression =
  | Constant
  | Name
  | NamespaceRef
  | TupleLiteral
  | ListLiteral
  | DictLiteral
  | Unary
  | Binary
  | Logical
  | Concat
  | Compare
  | Conditional
  | Attribute
  | Item
  | Slice
  | Call
  | Filter
  | Test;

export interface Data extends Node<'data'> {
  readonly text: string;
}
export interface Output extends Node<'output'> {
  readonly expression: Expression;
}
export interface If extends Node<'if'> {
  readonly branches: readonly { readonly test: Expression; readonly body: readonly Statement[] }[];
  readonly otherwise: readonly Statement[];
}
export interface For extends Node<'for'> {
  readonly target: Target;
  readonly iterable: Expression;
  readonly test: Expression | undefined;
  readonly recursive: boolean;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
}
export interface Assign extends Node<'set'> {
  readonly target: Target;
  readonly value: Expression;
}
export interface AssignBlock extends Node<'setBlock'> {
  readonly target: Target;
  readonly filter: Filter | undefined;
  readonly body: readonly Statement[];
}
export interface With extends Node<'with'> {
  readonly assignments: readonly (readonly [target: Target, value: Expression])[];
  readonly body: readonly Statement[];
}
export interface Signature {
  readonly parameters: readonly { readonly name: string; readonly fallback: Expression | undefined }[];
}
export interface Macro extends Node<'macro'> {
  readonly name: string;
  readonly signature: Signature;
  readonly body: readonly Statement[];
  /** Which of `varargs`, `kwargs` and `caller` the body mentions: only those may be passed. */
  readonly mentions: ReadonlySet<string>;
}
export interface CallBlock extends Node<'callBlock'> {
  readonly call: Call;
  readonly macro: Macro;
}
export interface FilterBlock extends Node<'filterBlock'> {
  readonly filter: Filter;
  readonly body: readonly Statement[];
}
export interface Block extends Node<'block'> {
  readonly body: readonly Statement[];
}
export type Target = Name | NamespaceRef | TupleLiteral | ListLiteral;
export type Statement =
  | Data
  | Output
  | If
  | For
  | Assign
  | AssignBlock
  | With
  | Macro
  | CallBlock
  | FilterBlock
  | Block;
