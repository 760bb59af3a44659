/** A program that is being written: its lines, and the tensors that its names hold. */
import { Draw } from './draw';

export type Library = 'np' | 'torch';
export type Kind = 'float' | 'int' | 'bool';

/** What is known of a tensor while the program is written: enough to write lines that mostly run. */
export interface Tensor {
  readonly name: string;
  readonly library: Library;
  readonly shape: readonly number[];
  readonly kind: Kind;
  /** Its values are the same to the last bit everywhere: only then may a line depend on which of two is greater. */
  readonly exact: boolean;
  /** About the greatest absolute value: what grows without end is left alone. */
  readonly size: number;
  /** It has storage of its own that may be written to. */
  readonly own: boolean;
}

export type Made = Omit<Tensor, 'name' | 'library' | 'own'> & { readonly own?: boolean };

/** Beyond this, values are only moved and compared. */
export const tame = 50;

export class Writer {
  readonly lines: string[] = [];
  readonly tensors: Tensor[] = [];
  private count = 0;
  private indent = '';

  constructor(
    readonly draw: Draw,
    readonly library: Library,
  ) {}

  /** `np` or `torch`. */
  get lib(): Library {
    return this.library;
  }

  fresh(prefix = 't'): string {
    return `${prefix}${this.count++}`;
  }

  line(text: string): void {
    for (const part of text.split('\n')) this.lines.push(this.indent + part);
  }

  block(head: string, body: () => void): void {
    this.line(head);
    const outer = this.indent;
    this.indent += '    ';
    body();
    this.indent = outer;
  }

  /** `name = expression`; now and then in a block that keeps the kind of its error, where it may have one. */
  tensor(expression: string, made: Made): Tensor {
    const name = this.fresh();
    this.line(`${name} = ${expression}`);
    return this.keep(name, made);
  }

  keep(name: string, { own = false, ...made }: Made): Tensor {
    const tensor: Tensor = { ...made, name, library: this.library, own };
    this.tensors.push(tensor);
    return tensor;
  }

  /** Replaces what is known of a name. */
  update(tensor: Tensor, change: Partial<Tensor>): void {
    const at = this.tensors.indexOf(tensor);
    this.tensors[at] = { ...tensor, ...change };
  }

  /** A line that may fail: what comes of it is compared by the kind of its error. */
  attempt(statement: string, name = ''): void {
    const failed = this.fresh('e');
    this.line(`${failed} = ''`);
    this.block('try:', () => this.line(statement));
    this.block('except Exception as problem:', () => this.line(`${failed} = type(problem).__name__`));
    if (name) this.line(`${name}_tried = ${failed} == ''`);
  }

  /** A tensor that fits, or a new one. */
  some(fits: (tensor: Tensor) => boolean, otherwise: () => Tensor): Tensor {
    const found = this.tensors.filter(fits);
    return found.length > 0 && !this.draw.chance(0.1) ? this.draw.pick(found) : otherwise();
  }

  text(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

export const count = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

export const listed = (items: readonly (number | string)[]): string => items.join(', ');
export const tupleOf = (items: readonly (number | string)[]): string =>
  `(${listed(items)}${items.length === 1 ? ',' : ''})`;

/** An axis, now and then counted from the end. */
export const axisText = (draw: Draw, axis: number, rank: number): number => (draw.chance(0.4) ? axis - rank : axis);
