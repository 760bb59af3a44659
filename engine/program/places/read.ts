/** A program that is kept open, for questions about its places. */
import type { Paced } from '../../text';
import { openingProgram, type Program, type ProgramOptions } from '../program';
import { findingAttention, type Attention } from '../recognise/index';
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

/**
 * The shapes of most lines are known before its attentions are sampled: `whole` goes on from there, as often as it is asked, and has the
 * shapes too that only samples know.
 */
export interface OpenedPlaces {
  readonly program: Program;
  readonly lines: readonly LineShapes[];
  readonly whole: () => Paced<OpenProgram>;
}

export function* readingPlaces(text: string, options: ProgramOptions = {}): Paced<OpenProgram> {
  const { whole } = yield* openingPlaces(text, options);
  return yield* whole();
}

export function* openingPlaces(text: string, options: ProgramOptions = {}): Paced<OpenedPlaces> {
  const { program, sampling } = yield* openingProgram(text, { ...options, watch: true });
  const lines = linesOf(text, program);
  return { program, lines, whole: keptOpen(completing(text, program, sampling)) };
}

function* completing(text: string, program: Program, sampling: Paced<void>): Paced<OpenProgram> {
  yield* sampling;
  const attentions = yield* findingAttention(program.graph);
  const places = { lines: linesOf(text, program), attentions: yield* attentionPlaces(program, attentions) };
  return { program, attentions, places, at: (offset) => valueAt(text, program, offset, attentions) };
}

/** Work that is done once, for all who ask: whoever gives up leaves it where it is, and the next one goes on from there. */
function keptOpen<T>(work: Paced<T>): () => Paced<T> {
  let result: { readonly value: T } | undefined;
  return function* () {
    while (!result) {
      const part = work.next();
      if (part.done) result = { value: part.value };
      else yield;
    }
    return result.value;
  };
}
