// Writes RESULTS.md, which has a section for the last run of each room.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/paths';
import type { Mutant } from './mutate';

export interface Outcome {
  readonly noticed: boolean;
  /** The test that failed and why, or the number of tests that all passed. */
  readonly by: string;
}

export interface Score {
  readonly name: string;
  readonly seed: number;
  /** Number of all mutants, including those known to be equivalent. */
  readonly all: number;
  /** The mutants that were tried. */
  readonly mutants: readonly Mutant[];
  /** Number of further mutants in the sample that are known to be equivalent. */
  readonly equivalent: number;
  readonly outcomes: readonly Outcome[];
  readonly seconds: number;
}

const path = join(root, 'test/mutants/RESULTS.md');

const head = `# Mutants

\`npm run mutants\` builds small faults into a room of the engine, one at a time, and runs the tests that reach them (see \`CONTRIBUTING.md\`). A fault that no test
notices survives, and is listed with what stands there and what it became. Faults that nothing can notice are in \`equivalents.ts\`, each with its reason:
where they are drawn they are counted apart. Up to 2026-11-27 a mutant counted as noticed if its tests did not
end in two tries, or failed once while it was reached at loading: a busy machine could fake that. Since then a test has to fail twice with the mutant, and a mutant whose tests do not
end without it either is left out.
`;

export function summary({ name, seed, all, mutants, equivalent, outcomes, seconds }: Score): string {
  const noticed = outcomes.filter((outcome) => outcome.noticed).length;
  const share = ((100 * noticed) / Math.max(1, outcomes.length)).toFixed(1);
  const drawn = mutants.length + equivalent;
  const apart = ((100 * equivalent) / Math.max(1, drawn)).toFixed(1);
  return `${name}: ${noticed} of ${mutants.length} noticed (${share} %); ${equivalent} of the ${drawn} drawn (${apart} %) are equivalent; drawn from ${all}, seed ${seed}, ${seconds.toFixed(0)} s`;
}

/** Replaces a room's section and keeps those of the other rooms. */
export function publish(score: Score): void {
  const old = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const sections = new Map([...old.matchAll(/^## (\S+)\n[^]*?(?=^## |$(?![^]))/gm)].map(([text, name]) => [name, text.trimEnd()])); // prettier-ignore
  sections.set(score.name, section(score));
  writeFileSync(path, `${[head.trimEnd(), ...sections.values()].join('\n\n')}\n`);
}

function section(score: Score): string {
  const survived = score.mutants
    .filter((_, id) => !score.outcomes[id]?.noticed)
    .sort((a, b) => (a.file === b.file ? a.start - b.start : a.file < b.file ? -1 : 1));
  const date = new Date().toISOString().slice(0, 10);
  const lines = survived.map(({ file, line, from, to }) => `- \`${file}:${line}\` ${code(from)} → ${code(to)}`);
  return [`## ${score.name}`, '', `${date}: ${summary(score).slice(score.name.length + 2)}. \`npm run mutants -- ${score.name} --count=${score.mutants.length + score.equivalent} --seed=${score.seed}\``, '', ...lines].join('\n').trimEnd(); // prettier-ignore
}

const code = (text: string): string => `\`\` ${text} \`\``;
