/** A program that is kept open, for questions about its places. */
import type { Paced } from '../../text/pace';
import { readingProgram, type Program, type ProgramOptions } from '../index';
import { findAttention, type Attention } from '../recognise/index';
import { attentionPlaces, type AttentionPlace } from './attentions';
import { linesOf, type LineShapes } from './lines';
import { valueAt, type ValueAt } from './value';

/** Plain data: what an editor shows of a program without being asked. */
export interface Places {
  readonly lines: readonly LineShapes[];
  readonly attentions: readonly AttentionPlace[];
}

export interface OpenProgram {
  readonly program: Program;
  readonly attentions: readonly Attention[];
  readonly places: Places;
  readonly at: (offset: number) => Paced<ValueAt | undefined>;
}

export function* readingPlaces(text: string, options: ProgramOptions = {}): Paced<OpenProgram> {
  const program = yield* readingProgram(text, { ...options, watch: true });
  const attentions = findAttention(program.graph);
  const places = { lines: linesOf(text, program), attentions: yield* attentionPlaces(program, attentions) };
  return { program, attentions, places, at: (offset) => valueAt(text, program, offset, attentions) };
}
