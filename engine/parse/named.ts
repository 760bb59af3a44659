/**
 * What the names of a selection stand for. Literals and plain numbers are read here (`written.ts`); what code computes is asked of the reader of
 * programs, which is registered once by whoever can reach it (`setNameReader`): it is loaded on demand, in a process of its own.
 */
import type { Paced, Problem, TextRange } from '../text';
import { linePlaces } from './line-places';
import type { Candidate, ParsedMatrix } from './matrix';
import { placesOf, type Above, type Meaning, type NamedValue, type NamedValues } from './named-values';
import { readingWritten } from './written';

/** The matrix that a name at an offset stands for, or why it is not known. Undefined where no name of a program stands, or its value is no matrix. */
export type NameAt =
  | {
      readonly matrix: ParsedMatrix;
      /** The name under the offset. */
      readonly range: TextRange;
      /** Where it was assigned, in the text; undefined when that is in `before`. */
      readonly definedAt?: TextRange;
      /** The line in which it was assigned, from 1; counted from the start of `before` where that is given. */
      readonly line: number;
    }
  | { readonly problems: readonly Problem[] }
  | undefined;

/** Reads programs. Each answer may be waited for; it is undefined where there is none. */
export interface NameReader {
  readonly namesOf: (text: string, above: Above | undefined) => Paced<NamedValues | undefined>;
  readonly nameAt: (text: string, offset: number, above: Above | undefined) => Paced<NameAt>;
}

let reader: NameReader | undefined;

/** To be called once, before texts are read. Without it what code computes is not known. */
export function setNameReader(next: NameReader | undefined): void {
  reader = next;
}

/** A selection with the names that it and the text above it assign. */
export interface ReadProgram {
  /** Names that the selection assigns, in the order in which they were last assigned. */
  readonly own: readonly string[];
  /** Names that stand above it. */
  readonly above: readonly string[];
  readonly meaningOf: (name: string) => Meaning | undefined;
  /** Where, in the selection, a name was last assigned. */
  readonly rangeOf: (name: string) => TextRange | undefined;
  /** Line of an offset in the selection, as its document (or cell) counts, from 1. */
  readonly lineOf: (offset: number) => number;
  /** The same as `line 3`. */
  readonly placeOf: (offset: number) => string;
  /** The same of where a name was last assigned, also above the selection. */
  readonly placeOfName: (name: string) => string | undefined;
  /** Whether a literal is all that its name was assigned, last. */
  readonly isWritten: (name: string, literal: ParsedMatrix) => boolean;
  /** Whether a literal stands in the statement that its name was last assigned by. */
  readonly isAssignedBy: (name: string, literal: ParsedMatrix) => boolean;
  /** Whether the last assignment of a name has a call or an operator in it, or draws. */
  readonly isComputed: (name: string) => boolean;
  /** The selection as one expression. */
  readonly expression: Meaning | undefined;
}

/** Line of an offset in a selection, as its document (or cell) counts, from 1. */
export function lineIn(text: string, above: Above | undefined): (offset: number) => number {
  const before = above?.before ?? '';
  const { lineOf } = linePlaces(before + text, placesOf(above));
  return (offset) => lineOf(before.length + offset);
}

/** Longest text, with what stands above it, that is given to the reader of programs. */
const longestProgram = 400_000;

/** Asks the registered reader of programs; undefined where there is none. */
export function* readingComputed(text: string, above: Above | undefined): Paced<NamedValues | undefined> {
  return reader && (yield* reader.namesOf(text, above));
}

/** Reads the names of a selection; `candidates` are its literals. `namesOf` is asked where code computes. */
export function* readingNamed(
  text: string,
  candidates: readonly Candidate[],
  above?: Above,
  namesOf = readingComputed,
): Paced<ReadProgram> {
  const written = yield* readingWritten(text, candidates, above);
  const isShort = (above?.before.length ?? 0) + text.length <= longestProgram;
  const computed = written.needsReader && isShort ? yield* namesOf(text, above) : undefined;
  return programOf(computed ?? written, text, above);
}

/** The name at an offset of a text. */
export function* readingName(text: string, offset: number, above?: Above): Paced<NameAt> {
  return reader ? yield* reader.nameAt(text, offset, above) : undefined;
}

function programOf({ names, expression }: NamedValues, text: string, above: Above | undefined): ReadProgram {
  const shift = above?.before.length ?? 0;
  const places = linePlaces((above?.before ?? '') + text, placesOf(above));
  const byName = new Map(names.map((one) => [one.name, one]));
  const startsAt = (name: string, { nameRange }: ParsedMatrix): NamedValue | undefined => {
    const one = byName.get(name);
    return one && one.range.start - shift === nameRange?.start ? one : undefined;
  };
  return {
    own: names.filter(({ range }) => range.start >= shift).map(({ name }) => name),
    above: names.filter(({ range }) => range.start < shift).map(({ name }) => name),
    meaningOf: (name) => byName.get(name)?.meaning,
    rangeOf(name) {
      const one = byName.get(name);
      return one && { start: Math.max(0, one.statement.start - shift), end: Math.max(0, one.statement.end - shift) };
    },
    lineOf: (offset) => places.lineOf(offset + shift),
    placeOf: (offset) => places.placeOf(offset + shift),
    placeOfName(name) {
      const one = byName.get(name);
      return one && places.placeOf(one.range.start);
    },
    isWritten(name, literal) {
      const value = startsAt(name, literal)?.value;
      return (
        value !== undefined && value.start - shift === literal.range.start && value.end - shift <= literal.range.end
      );
    },
    isAssignedBy: (name, literal) => startsAt(name, literal) !== undefined,
    isComputed: (name) => byName.get(name)?.isComputed === true,
    expression,
  };
}

export type { Above, Meaning } from './named-values';
