import type { Effort, Measured } from '../measure';
import type { Place } from '../peers';
import { cold, memory } from './alone';
import { chromium } from './chromium';
import { diagnose } from './diagnose';
import { encodings } from './encodings';
import { engine } from './engine';
import { hardware } from './hardware';
import { numpy } from './numpy';
import { parse } from './parse';
import { programs } from './programs';
import { sizes } from './sizes';
import { tokenizerFiles } from './tokenizerFiles';
import { wasm } from './wasm';
import { webgpu } from './webgpu';
import { workers } from './workers';

/**
 * A group of comparisons. All sections run in Node except `chromium` and `webgpu`. A section that runs in a page bundles `measure.ts` and its own
 * comparisons, opens the page with playwright-core, and yields what the page measured. The report treats all sections alike.
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
  diagnose,
  engine,
  wasm,
  numpy,
  workers,
  cold,
  memory,
  sizes,
  chromium,
  webgpu,
  hardware,
];

/** The sections that `--short` runs if none is named. They take less than two minutes. */
export const everyday: readonly Section[] = [parse, engine, wasm, numpy, cold, memory, sizes];
