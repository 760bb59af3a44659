import type { Questions } from '../formula';
import type { Paced, Problem, Result } from '../text';

/** One property of a tool's input, as JSON Schema has it. */
export interface Property {
  readonly type: 'string' | 'integer' | 'object' | 'boolean';
  readonly description: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly string[];
  /** Of an object whose properties have any name. */
  readonly additionalProperties?: unknown;
}

export interface InputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

/** A tool as it is declared to a model: these words are for it, and are English. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: InputSchema;
}

/** An input that fits the schema of its tool. */
export type Input = Readonly<Record<string, unknown>>;

export interface ToolAnswer {
  readonly text: string;
  /** The text says why there is no answer. */
  readonly isError: boolean;
}

/** What a tool's answer is made of: lines of text, or the problems that stand in its way. */
export type Lines = Result<readonly string[]>;

/** Reads what a name stands for in a program that is stopped in a debugger. The answer is whole lines; a problem says that nothing is stopped. */
export type LiveReader = (asked: { readonly name: string; readonly slice?: string }) => Promise<Lines>;

/** Who calls the tools: it has the reader of programs, files, and a debugger, if there is one. */
export interface ToolHost {
  /** Asks the reader of programs. `path` is the file that the text is from, whose imports are then known. */
  ask<K extends keyof Questions>(kind: K, asked: Questions[K]['asked'], path?: string): Promise<Result<Questions[K]['answer']>>;
  run<T>(work: Paced<T>): Promise<T>;
  /** The text of a file: of the workspace, or of the folder where the server was started. */
  read(path: string): Promise<Result<string>>;
  readonly live?: LiveReader;
} // prettier-ignore

/** Bytes of UTF-8 of an answer at most. */
export const answerLimit = 4096;

/** A problem as one line: `line 3, column 5: message (hint)`. */
export function problemLine({ message, hint }: Problem, where = ''): string {
  return `${where}${message}${hint ? ` (${hint})` : ''}`;
}
