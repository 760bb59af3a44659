import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAnswering, type Question } from '../../../engine/program/serve/answer';
import { readProgram } from '../../../engine/program/syntax/parse';
import { finish } from '../../../engine/text/pace';
import { measure, type Contender, type Measured } from '../measure';
import type { Place } from '../peers';
import type { Form, Section } from './index';

export const programs: Section = {
  name: 'programs',
  words:
    'a keystroke in a Python program, against parsing the same text anew: the ratios say more than times of one machine',
  run,
};

/** Files of our own, in the styles of known tutorials: the first calls what it defines, the others are classes that no line calls. */
const files: readonly (readonly [name: string, places: readonly string[]])[] = [
  ['nanogpt', ['nanogpt.py']],
  ['rasbt_chapter3', ['rasbt_chapter3.py']],
  [
    'classes that no line calls',
    ['uncalled/config_heads.py', 'uncalled/llama_rotation.py', 'uncalled/library_layer.py'],
  ],
];

/** Number of different texts. It exceeds the number of programs that are cached. */
const keystrokes = 16;

async function* run({ folder }: Place, { short, effort }: Form): AsyncGenerator<Measured> {
  for (const [name, places] of short ? files.slice(0, 1) : files) {
    const text = places.map((place) => readFileSync(join(folder, '../fixtures/programs', place), 'utf8')).join('\n');
    const contenders = contendersOf(text);
    const notes = contenders.map((one) => `processor time of one, ${one.name}: ${cpuOf(one).toFixed(1)} ms`);
    yield measure(
      { name, amount: text.split('\n').length, unit: 'lines', inputs: keystrokes, contenders, notes },
      effort,
    );
  }
}

/** CPU time of one run in milliseconds, the minimum of several runs. */
function cpuOf({ run: once }: Contender): number {
  const all = Array.from({ length: keystrokes }, (_, i) => {
    const before = process.cpuUsage();
    once(i);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  });
  return Math.min(...all);
}

/** The text after some keystrokes: `input` blanks more in the line of the softmax. */
const typed = (text: string, input: number): string => text.replace('softmax(', `softmax(${' '.repeat(input)}`);

const isThere = (result: unknown): string | undefined => (result ? undefined : 'nothing was read');

function contendersOf(text: string): Contender[] {
  const asked = (kind: 'lines' | 'places' | 'attention'): Contender['run'] => {
    const answering = createAnswering();
    return (input) => finish(answering({ kind, text: typed(text, input) } as Question)).answer;
  };
  return [
    { name: 'ours: shapes of lines', run: asked('lines'), check: isThere },
    { name: 'ours: shapes, attentions', run: asked('places'), check: isThere },
    { name: 'ours: attention explained', run: asked('attention'), check: isThere },
    { name: 'py-ast: all of it parsed', run: (input) => finish(readProgram(typed(text, input), true)), check: isThere },
  ];
}
