// Reads the command-line words of a subcommand: file names and options with a value.
import { t } from '../text';

/** Words without `--` are assigned to `places` in order; `--name value` and `--name=value` are options. Returns a text for a usage error. */
export function readOptionWords<Name extends string>(
  words: readonly string[],
  places: readonly Name[],
  options: readonly Name[],
  flags: readonly Name[] = [],
): Readonly<Partial<Record<Name, string>>> | string {
  const asked: Partial<Record<Name, string>> = {};
  const left = [...places];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? '';
    const [, written, inline] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const name = written === undefined ? (left.shift() ?? places.at(-1)) : [...options, ...flags].find((o) => o === written);
    if (name === undefined) return t('unknown option {0}', word);
    const isFlag = flags.includes(name);
    const value = written === undefined ? word : isFlag ? (inline ?? 'yes') : (inline ?? words[++i]);
    if (value === undefined || value === '') return t('{0} needs a value', word);
    if (asked[name] !== undefined) return t('{0} is given twice: {1} and {2}', name, asked[name], value);
    asked[name] = value;
  }
  const [missing] = places.filter((place) => asked[place] === undefined);
  return missing === undefined ? asked : t('{0} is missing', missing);
} // prettier-ignore
