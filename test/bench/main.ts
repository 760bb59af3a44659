// `npm run bench [section …] [--short] [--json] [--list]`. Started by start.mjs.
import { cpus } from 'node:os';
import { efforts, type Measured } from './measure';
import { versions, type Place } from './peers';
import { tableOf } from './report';
import { everyday, sections, type Section } from './sections';

interface Outcome {
  readonly section: string;
  readonly measured: readonly Measured[];
}

/** Runs the named sections; without names all of them, or with `--short` the everyday ones. They run one by one, since parallel runs would slow each other. */
export async function main(args: readonly string[], place: Place): Promise<void> {
  const chosen = choose(
    args.filter((arg) => !arg.startsWith('--')),
    args.includes('--short') ? everyday : sections,
  );
  const unknown = args.find((arg) => arg.startsWith('--') && !['--short', '--json', '--list'].includes(arg));
  if (unknown !== undefined) throw new Error(`${unknown}: expected --short, --json or --list`);
  if (args.includes('--list'))
    return print(sections.map(({ name, words }) => `${name.padEnd(16)} ${words}`).join('\n'));
  const json = args.includes('--json');
  const short = args.includes('--short');
  const machine = describe(place, short);
  if (!json) print(`${Object.values(machine).flat().join(' · ')}\n`);
  const outcomes: Outcome[] = [];
  for (const section of chosen) outcomes.push(await run(section, place, { short, json }));
  const left = sections.filter((section) => !chosen.includes(section)).map(({ name }) => name);
  if (!json && chosen === everyday) print(`Not in the short form unless named: ${left.join(', ')}.`);
  if (json) print(JSON.stringify({ ...machine, outcomes }, null, 1));
}

function choose(names: readonly string[], otherwise: readonly Section[]): readonly Section[] {
  const unknown = names.find((name) => !sections.some((section) => section.name === name));
  if (unknown !== undefined)
    throw new Error(`no section ${unknown}; there are ${sections.map(({ name }) => name).join(', ')}`);
  return names.length ? sections.filter(({ name }) => names.includes(name)) : otherwise;
}

async function run(
  section: Section,
  place: Place,
  { short, json }: { short: boolean; json: boolean },
): Promise<Outcome> {
  const measured: Measured[] = [];
  if (!json) print(`${section.name}: ${section.words}\n`);
  for await (const result of section.run(place, { short, effort: short ? efforts.short : efforts.full })) {
    measured.push(result);
    if (!json) print(`${tableOf(result)}\n`);
  }
  return { section: section.name, measured };
}

/** The versions and the machine. Absolute times mean nothing without them. */
function describe(place: Place, short: boolean): Record<string, string | string[]> {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: `Node ${process.versions.node} (V8 ${process.versions.v8})`,
    machine: `${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${process.platform} ${process.arch}`,
    peers: versions(place),
    form: short ? 'short form' : 'full form',
  };
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
