/** Parameters that are words, such as `method='dot'`: which ones a program names. */
import { t } from '../../text';
import type { FunctionValue } from '../machine';
import { methodNamed, type Failed, type Root } from './attempt';
import type { Choice } from './values';

/** `ValueError: choose 'dot' or 'general'`: a parameter is a word, one of those that the exception or a comparison has. */
export function textArguments(
  choice: Choice,
  { text }: Failed,
  { value, method, text: code }: Root,
): readonly Choice[] {
  const start = value.kind === 'class' ? methodNamed(value, '__init__') : value;
  const names = [method, start].flatMap((one) => (one ? [...one.parameters.args, ...one.parameters.kwonlyargs].map(({ arg }) => arg) : [])); // prettier-ignore
  const compared = [...wordsIn(code), ...(start ? wordsOfParts(start, code) : [])];
  const isOpen = compared.some(([name]) => text === t('{0} is given by no call here', name));
  if (!isOpen && !/^(?:ValueError|NotImplementedError|KeyError|AssertionError|TypeError|UnboundLocalError)/.test(text)) return []; // prettier-ignore
  const quoted = [...text.matchAll(/['"](\w+)['"]/g)].flatMap(([, word = '']) =>
    names.filter((name) => namesWay.test(name)).map((name) => [name, word] as const),
  );
  return [...compared, ...quoted]
    .filter(([name]) => names.includes(name) && choice.settings?.get(name) === undefined)
    .slice(0, 8)
    .map(([name, word]) => ({ ...choice, settings: new Map([...(choice.settings ?? []), [name, { text: word }]]) }));
}

type NamedWord = readonly [name: string, word: string];

/** Words that a name is compared with: `method == 'dot'`, `method != 'dot'`, `self.method not in ['dot', 'general']`, `match method:` with `case 'dot':`. */
export const wordsIn = (code: string): readonly NamedWord[] => [
  ...[...code.matchAll(/\b(\w+)\s*[!=]=\s*(['"])(\w+)\2/g)].map(([, name = '', , word = '']) => [name, word] as const),
  ...[...code.matchAll(/\b(\w+)\s+(?:not\s+)?in\s*[[({]([\w\s'",-]*)[\])}]/g)].flatMap(([, name = '', list = '']) =>
    [...list.matchAll(/(['"])([\w-]+)\1/g)].map(([, , word = '']) => [name, word] as const),
  ),
  ...code.split(/^\s*(?=match\b)/m).flatMap((part) => {
    const name = /^match\s+(?:\w+\.)?(\w+)\s*:/.exec(part)?.[1];
    const cases = name === undefined ? [] : [...part.matchAll(/^\s*case\b[^:\n]*/gm)];
    return cases.flatMap(([text]) => [...text.matchAll(/(['"])([\w-]+)\1/g)].map(([, , word = '']) => [name ?? '', word] as const)); // prettier-ignore
  }),
];

/** The same of the program's classes that are made here, by the name that they are given here: `attn_model` of `Attn(attn_model, width)`. */
function wordsOfParts(start: FunctionValue, code: string): readonly NamedWord[] {
  return [...code.matchAll(/\b(\w+)\(([^()]*)\)/g)].flatMap(([, name = '', list = '']) => {
    const of = start.closure.globals.names.get(name);
    const made = of?.kind === 'class' ? methodNamed(of, '__init__') : undefined;
    if (!made?.source.own) return [];
    const parameters = made.parameters.args.slice(1).map(({ arg }) => arg);
    const given = list.split(',').map((one) => /^\s*(?:(\w+)\s*=\s*)?(\w+)\s*$/.exec(one) ?? []);
    const byName = new Map(given.map(([, by, arg], i) => [by ?? parameters[i] ?? '', arg ?? ''] as const));
    return wordsIn(made.source.text).flatMap(([inner, word]) => {
      const outer = byName.get(inner);
      return outer ? [[outer, word] as const] : [];
    });
  });
}

/** What says how something is done, as a word. */
const namesWay = /method|mode|type|kind|variant|style|score|align/;
