import type { Effort, Measured } from '../measure';
import type { Place } from '../peers';
import { cold, memory } from './alone';
import { chromium } from './chromium';
import { encodings } from './encodings';
import { engine } from './engine';
import { numpy } from './numpy';
import { parse } from './parse';
import { programs } from './programs';
import { sizes } from './sizes';
import { tokenizerFiles } from './tokenizerFiles';
import { wasm } from './wasm';
import { webgpu } from './webgpu';
import { workers } from './workers';

/**
 * A group of comparisons. All of them run in Node but `chromium` and `webgpu`. One that must run in a page bundles `measure.ts` and its
 * own comparisons for the page, opens it with playwright-core, and yields what the page measured: nothing else knows where it ran.
 */
export interface Section {
  readonly name: string;
  readonly words: string;
  readonly run: (place: Place, form: Form) => AsyncGenerator<Measured>;
}

export interface Form {
  readonly short: boolean;
  readonly effort: Effort;
}

/** In the order in which they run. */
export const sections: readonly Section[] = [
  encodings,
  tokenizerFiles,
  parse,
  programs,
  engine,
  wasm,
  numpy,
  workers,
  cold,
  memory,
  sizes,
  chromium,
  webgpu,
];

/** What `--short` runs where nothing is named: less than two minutes. */
export const everyday: readonly Section[] = [parse, engine, wasm, numpy, cold, memory, sizes];
