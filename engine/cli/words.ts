// Words of a command that takes files and options with a value.

/** The first word without `--` is the first of `places`, and so on; `--name value` and `--name=value` are options. A text says what is wrong. */
export function readWords<Name extends string>(
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
    if (name === undefined) return `unknown option ${word}`;
    const isFlag = flags.includes(name);
    const value = written === undefined ? word : isFlag ? (inline ?? 'yes') : (inline ?? words[++i]);
    if (value === undefined || value === '') return `${word} needs a value`;
    if (asked[name] !== undefined) return `${name} is given twice: ${asked[name]} and ${value}`;
    asked[name] = value;
  }
  const [missing] = places.filter((place) => asked[place] === undefined);
  return missing === undefined ? asked : `no ${missing}`;
} // prettier-ignore
