/**
 * Python's syntax tree, with the names of Python's own `ast` module, as far as this room looks at it. Lines are 1-based; columns count bytes of
 * UTF-8 from 0, as there: `source.ts` turns them into characters.
 */
export interface Place {
  readonly lineno: number;
  readonly col_offset: number;
  readonly end_lineno: number;
  readonly end_col_offset: number;
}

interface Node<T extends string> extends Place {
  readonly nodeType: T;
}

export interface Name extends Node<'Name'> {
  readonly id: string;
}
export interface Constant extends Node<'Constant'> {
  readonly value: unknown;
  /** Prefix and quotes of a string. */
  readonly quote_style?: string;
}
export interface Attribute extends Node<'Attribute'> {
  readonly value: Expression;
  readonly attr: string;
}
export interface Subscript extends Node<'Subscript'> {
  readonly value: Expression;
  readonly slice: Expression;
}
export interface Starred extends Node<'Starred'> {
  readonly value: Expression;
}
export interface Sequence extends Node<'List' | 'Tuple' | 'Set'> {
  readonly elts: readonly Expression[];
}
export interface Slice extends Node<'Slice'> {
  readonly lower?: Expression;
  readonly upper?: Expression;
  readonly step?: Expression;
}
export interface Dict extends Node<'Dict'> {
  readonly keys: readonly (Expression | null)[];
  readonly values: readonly Expression[];
}
export interface Keyword extends Place {
  readonly arg?: string;
  readonly value: Expression;
}
export interface Call extends Node<'Call'> {
  readonly func: Expression;
  readonly args: readonly Expression[];
  readonly keywords: readonly Keyword[];
}
export interface Comprehension {
  readonly target: Expression;
  readonly iter: Expression;
  readonly ifs: readonly Expression[];
}
export interface ElementComprehension extends Node<'ListComp' | 'SetComp' | 'GeneratorExp'> {
  readonly elt: Expression;
  readonly generators: readonly Comprehension[];
}
export interface DictComprehension extends Node<'DictComp'> {
  readonly key: Expression;
  readonly value: Expression;
  readonly generators: readonly Comprehension[];
}
export interface Operator {
  readonly nodeType: string;
}
export interface BinOp extends Node<'BinOp'> {
  readonly left: Expression;
  readonly op: Operator;
  readonly right: Expression;
}
export interface UnaryOp extends Node<'UnaryOp'> {
  readonly op: Operator;
  readonly operand: Expression;
}
export interface BoolOp extends Node<'BoolOp'> {
  readonly op: Operator;
  readonly values: readonly Expression[];
}
export interface Compare extends Node<'Compare'> {
  readonly left: Expression;
  readonly ops: readonly Operator[];
  readonly comparators: readonly Expression[];
}
export interface IfExp extends Node<'IfExp'> {
  readonly test: Expression;
  readonly body: Expression;
  readonly orelse: Expression;
}
export interface NamedExpr extends Node<'NamedExpr'> {
  readonly target: Expression;
  readonly value: Expression;
}
export interface Lambda extends Node<'Lambda'> {
  readonly args: Arguments;
  readonly body: Expression;
}
export interface JoinedStr extends Node<'JoinedStr'> {
  readonly values: readonly Expression[];
}
export interface FormattedValue extends Node<'FormattedValue'> {
  readonly value: Expression;
  readonly conversion: number;
  readonly format_spec?: Expression;
}
export type OtherExpression = Node<'Await' | 'Yield' | 'YieldFrom' | 'TemplateStr' | 'Interpolation'>;

export type Expression =
  | Name
  | Constant
  | Attribute
  | Subscript
  | Starred
  | Sequence
  | Slice
  | Dict
  | Call
  | ElementComprehension
  | DictComprehension
  | BinOp
  | UnaryOp
  | BoolOp
  | Compare
  | IfExp
  | NamedExpr
  | Lambda
  | JoinedStr
  | FormattedValue
  | OtherExpression;

export interface Arg extends Place {
  readonly arg: string;
  readonly annotation?: Expression;
}
export interface Arguments {
  readonly posonlyargs: readonly Arg[];
  readonly args: readonly Arg[];
  readonly vararg?: Arg;
  readonly kwonlyargs: readonly Arg[];
  readonly kw_defaults: readonly (Expression | null | undefined)[];
  readonly kwarg?: Arg;
  readonly defaults: readonly Expression[];
}

export interface FunctionDef extends Node<'FunctionDef' | 'AsyncFunctionDef'> {
  readonly name: string;
  readonly args: Arguments;
  readonly body: readonly Statement[];
  readonly decorator_list: readonly Expression[];
}
export interface ClassDef extends Node<'ClassDef'> {
  readonly name: string;
  readonly bases: readonly Expression[];
  readonly keywords: readonly Keyword[];
  readonly body: readonly Statement[];
  readonly decorator_list: readonly Expression[];
}
export interface Return extends Node<'Return'> {
  readonly value?: Expression;
}
export interface Delete extends Node<'Delete'> {
  readonly targets: readonly Expression[];
}
export interface Assign extends Node<'Assign'> {
  readonly targets: readonly Expression[];
  readonly value: Expression;
}
export interface AugAssign extends Node<'AugAssign'> {
  readonly target: Expression;
  readonly op: Operator;
  readonly value: Expression;
}
export interface AnnAssign extends Node<'AnnAssign'> {
  readonly target: Expression;
  readonly annotation: Expression;
  readonly value?: Expression;
}
export interface For extends Node<'For' | 'AsyncFor'> {
  readonly target: Expression;
  readonly iter: Expression;
  readonly body: readonly Statement[];
  readonly orelse: readonly Statement[];
}
export interface While extends Node<'While'> {
  readonly test: Expression;
  readonly body: readonly Statement[];
  readonly orelse: readonly Statement[];
}
export interface If extends Node<'If'> {
  readonly test: Expression;
  readonly body: readonly Statement[];
  readonly orelse: readonly Statement[];
}
export interface With extends Node<'With' | 'AsyncWith'> {
  readonly items: readonly { readonly context_expr: Expression; readonly optional_vars?: Expression }[];
  readonly body: readonly Statement[];
}
export interface Raise extends Node<'Raise'> {
  readonly exc?: Expression;
}
export interface Handler extends Place {
  readonly type?: Expression;
  readonly name?: string;
  readonly body: readonly Statement[];
}
export interface Try extends Node<'Try' | 'TryStar'> {
  readonly body: readonly Statement[];
  readonly handlers: readonly Handler[];
  readonly orelse: readonly Statement[];
  readonly finalbody: readonly Statement[];
}
export interface Assert extends Node<'Assert'> {
  readonly test: Expression;
  readonly msg?: Expression;
}
export interface Alias extends Place {
  readonly name: string;
  readonly asname?: string;
}
export interface Import extends Node<'Import'> {
  readonly names: readonly Alias[];
}
export interface ImportFrom extends Node<'ImportFrom'> {
  readonly module?: string;
  readonly names: readonly Alias[];
  readonly level?: number;
}
export interface Outer extends Node<'Global' | 'Nonlocal'> {
  readonly names: readonly string[];
}
export interface ExpressionStatement extends Node<'Expr'> {
  readonly value: Expression;
}
export interface MatchValue extends Node<'MatchValue'> {
  readonly value: Expression;
}
export interface MatchSingleton extends Node<'MatchSingleton'> {
  readonly value: boolean | null;
}
export interface MatchAs extends Node<'MatchAs' | 'MatchStar'> {
  readonly pattern?: Pattern;
  readonly name?: string;
}
export interface MatchOr extends Node<'MatchOr'> {
  readonly patterns: readonly Pattern[];
}
export interface MatchSequence extends Node<'MatchSequence'> {
  readonly patterns: readonly Pattern[];
}
export interface MatchMapping extends Node<'MatchMapping'> {
  readonly keys: readonly Expression[];
  readonly patterns: readonly Pattern[];
  readonly rest?: string | null;
}
export interface MatchClass extends Node<'MatchClass'> {
  readonly cls: Expression;
  readonly patterns: readonly Pattern[];
  readonly kwd_attrs: readonly string[];
  readonly kwd_patterns: readonly Pattern[];
}
export type Pattern = MatchValue | MatchSingleton | MatchAs | MatchOr | MatchSequence | MatchMapping | MatchClass;
export interface MatchCase extends Place {
  readonly pattern: Pattern;
  readonly guard?: Expression;
  readonly body: readonly Statement[];
}
export interface Match extends Node<'Match'> {
  readonly subject: Expression;
  readonly cases: readonly MatchCase[];
}
export type OtherStatement = Node<'Pass' | 'Break' | 'Continue' | 'Comment' | 'TypeAlias'>;

export type Statement =
  | FunctionDef
  | ClassDef
  | Return
  | Delete
  | Assign
  | AugAssign
  | AnnAssign
  | For
  | While
  | If
  | With
  | Raise
  | Try
  | Match
  | Assert
  | Import
  | ImportFrom
  | Outer
  | ExpressionStatement
  | OtherStatement;

export interface Module {
  readonly body: readonly Statement[];
}
