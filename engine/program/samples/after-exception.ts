/** What to try after an exception: sizes and forms that follow from what Python says was expected, and guesses where it says nothing. */
import type { ClassValue, FunctionValue } from '../machine';
import { bodyText, fiveAxes, methodNamed, type Failed, type Root } from './attempt';
import { countsLayers, namesCache, namesContext, namesIds, namesMask, sizeNamed, usual } from './sizes';
import { textArguments } from './words';
import { maskKinds, type Choice, type Form } from './values';

const withForm = (choice: Choice, name: string, form: Form): Choice => ({
  ...choice,
  forms: { ...choice.forms, [name]: { ...choice.forms[name], ...form } },
});

const withSize = (choice: Choice, name: string, size: number): Choice => ({
  ...choice,
  sizes: { ...choice.sizes, [name]: size },
});

/** `MHA.__init__() missing 2 required positional arguments: 'num_heads' and 'key_dim'`: a constructor hands its keywords on to this one. */
function missingArguments({ extra = [], ...choice }: Choice, text: string): readonly Choice[] {
  const named = text.includes('__init__() missing') ? [...text.matchAll(/'(\w+)'/g)].flatMap(([, name = '']) => name) : []; // prettier-ignore
  const fresh = named.filter((name) => !extra.includes(name));
  return fresh.length > 0 ? [{ ...choice, extra: [...extra, ...fresh] }] : [];
}

/** A run of more steps than this goes through many layers. */
export const deepRun = 2_500;

/** After a run through many layers: one layer in place of them, so that later attempts cost less. */
export function withOneLayer(choice: Choice, root: Root, reached: number): readonly Choice[] {
  if (reached < deepRun) return [];
  return withDefaults(choice, root, (name) => sizeNamed(name) === usual.layers && countsLayers(name));
}

/** The constructor's sizes that have a default, of which `takes` says which get a size that stands in. */
function withDefaults(choice: Choice, { value }: Root, takes: (name: string) => boolean): readonly Choice[] {
  const start = value.kind === 'class' ? value.attributes.get('__init__') : undefined;
  if (start?.kind !== 'function') return [];
  const { parameters, defaults, keywordDefaults } = start;
  const plain = [...parameters.posonlyargs, ...parameters.args];
  const sizes = [
    ...plain.map(({ arg }, i) => [arg, defaults[i - plain.length + defaults.length]] as const),
    ...keywordDefaults,
  ].flatMap(([name, usually]) => (usually?.kind === 'int' && takes(name) ? [name] : []));
  const extra = [...new Set([...(choice.extra ?? []), ...sizes])];
  return extra.length > (choice.extra ?? []).length ? [{ ...choice, extra }] : [];
}

/** What the code has None for unless it is given, and refuses to go without. */
function givenArguments(choice: Choice, root: Root, text: string): readonly Choice[] {
  const sizes = openSizes(choice, root, text);
  if (sizes.length > 0) return [withGiven(choice, sizes)];
  const [first] = assertedOfConstructor(choice, root, text);
  return first === undefined ? openArguments(choice, root, text) : [withGiven(choice, [first])];
}

const withGiven = (choice: Choice, names: readonly string[]): Choice => ({
  ...choice,
  settings: new Map([...(choice.settings ?? []), ...names.map((name) => [name, 'given'] as const)]),
});

/** `nn.Embedding(max_len, d)` of `max_len=None`: all sizes that the constructor leaves open. */
function openSizes({ settings }: Choice, root: Root, text: string): readonly string[] {
  if (!/^TypeError.*NoneType/.test(text)) return [];
  return openOfConstructor(root).filter((name) => sizeNamed(name) !== undefined && !settings?.has(name));
}

/** Of the constructor's arguments those that an assertion names and nothing has been tried for. */
function assertedOfConstructor({ settings }: Choice, root: Root, text: string): readonly string[] {
  if (!text.startsWith('AssertionError')) return [];
  return openOfConstructor(root).filter((name) => !settings?.has(name) && new RegExp(`\\b${name}\\b`).test(text));
}

function openOfConstructor({ value }: Root): readonly string[] {
  const start = value.kind === 'class' ? methodNamed(value, '__init__') : undefined;
  return start ? openIn(start) : [];
}

/** Arguments of the function that is run: those that the exception names, then masks, then all but caches, then all. */
function openArguments(choice: Choice, { value, method }: Root, text: string): readonly Choice[] {
  const code = method ?? value;
  if (code.kind !== 'function' || choice.settings || !/AssertionError|NoneType/.test(text)) return [];
  const open = openIn(code);
  const named = open.filter((name) => text.includes(name));
  const ways = [named, open.filter(namesMask), open.filter((name) => !namesCache(name)), open];
  return ways.filter(({ length }) => length > 0).map((names) => withGiven(choice, names));
}

/** Parameters that are None unless they are given. */
function openIn({ parameters, defaults }: FunctionValue): readonly string[] {
  const plain = [...parameters.posonlyargs, ...parameters.args];
  return plain.flatMap(({ arg }, i) => (defaults[i - plain.length + defaults.length]?.kind === 'none' ? [arg] : []));
}

/** `'Attention' object has no attribute 'keys'`: another method of the class sets it, as tutorials that go step by step have it. */
export function withSettersFirst(choice: Choice, { text }: Failed, { value, method }: Root): readonly Choice[] {
  const [, of, name = ''] = /^AttributeError: '(\w+)' object has no attribute '(\w+)'/.exec(text) ?? [];
  if (value.kind !== 'class' || of !== value.name || (choice.before ?? []).length >= mostBefore) return [];
  const sets = new RegExp(`\\bself\\.${name}\\s*(?::[^=\\n]+)?=(?!=)`);
  const setters = methodsWithin(value).filter((one) => one.name !== '__init__' && one.name !== method?.name && sets.test(bodyText(one))); // prettier-ignore
  return setters
    .filter((one) => !choice.before?.includes(one.name))
    .slice(0, 3)
    .map((one) => ({ ...choice, before: [one.name, ...(choice.before ?? [])] }));
}

/** Most methods that are called before another. */
const mostBefore = 6;

const methodsWithin = ({ attributes, bases }: ClassValue): readonly FunctionValue[] => [
  ...[...attributes.values()].flatMap((one) => (one.kind === 'function' ? [one] : [])),
  ...bases.flatMap(methodsWithin),
];

/** Sizes that an assertion or a division refused: one length for all texts, the small sizes, as many tokens as a window of 2×2 has. */
function otherSizes(choice: Choice, { text, asked, made }: Failed, root: Root): readonly Choice[] {
  const found: Choice[] = [];
  if (/AssertionError/.test(text)) {
    if (!choice.even) found.push({ ...choice, even: true });
    found.push(...withDefaults(choice, root, (name) => sizeNamed(name) !== undefined));
    for (const [name, size] of asked) if (size === usual.queries) found.push(withSize(choice, name, usual.head));
    found.push(...squarePictures(choice, { text, made }));
  }
  if (/ZeroDivisionError|\b0[\],)]|divisible by num_groups/.test(text)) {
    const wide = [...asked].filter(([, size]) => size >= usual.width && size < wideEnough);
    if (wide.length > 0) found.push(wide.reduce((all, [name]) => withSize(all, name, wideEnough), choice));
    for (const [name, size] of asked) if (size === 1) found.push(withSize(choice, name, usual.heads));
  }
  if (/is invalid for input of size|cannot reshape array of size/.test(text) && !choice.even)
    found.push({ ...choice, even: true });
  // Pairs of tokens are as many rows as columns.
  const square = /shape '\[(\d+), \1, /.test(text) ? [...made].filter(([, { mask, shape: [rows, columns, ...rest] }]) => !mask && rest.length > 0 && rows !== columns) : []; // prettier-ignore
  found.push(...square.map(([name, { shape }]) => withForm(choice, name, { inputs: shape[1] as number })));
  return found;
}

/** "8 tokens must be the map's 4": a picture is as high and wide as the square has it that the assertion names. */
function squarePictures(choice: Choice, { text, made }: Pick<Failed, 'text' | 'made'>): readonly Choice[] {
  const sides = [...text.matchAll(/\b\d+\b/g)].map(([area]) => Math.sqrt(Number(area))).filter((side) => side > 1 && side <= 64 && Number.isInteger(side)); // prettier-ignore
  const pictures = [...made].filter(([, { mask, shape }]) => !mask && shape.length === 4);
  return sides.flatMap((side) => pictures.map(([name]) => withForm(choice, name, { last: side, tokens: side })));
}

/** Wide enough that an eighth of it can still be divided among heads. */
const wideEnough = 64;

/** What to try after an exception, by its text, in order. */
export function choicesFromException(choice: Choice, failed: Failed, root: Root): readonly Choice[] {
  const tensors = [...failed.made].filter(([, { mask }]) => !mask);
  const masks = [...failed.made].filter(([, { mask }]) => mask);
  if (failed.masks) return masks.flatMap(([name]) => maskKinds.map((mask) => withForm(choice, name, { mask })));
  const found: Choice[] = [...missingArguments(choice, failed.text), ...givenArguments(choice, root, failed.text)];
  const words = textArguments(choice, failed, root);
  // The run came to its end without knowing which of the words: nothing else is to be learnt from it.
  if (failed.ran && words.length > 0) return words;
  found.push(...words);
  const [, half] = /must have the same dtype.*\b(BFloat16|Half|Double)\b/i.exec(failed.text) ?? []; // prettier-ignore
  const dtype = half === undefined ? undefined : otherFloats[half.toLowerCase()];
  if (dtype && choice.dtype !== dtype) found.push({ ...choice, dtype });
  if (failed.text === fiveAxes()) for (const [name, { ids, shape }] of tensors) if (ids && shape.length > 1) found.push(withForm(choice, name, { rank: 1 })); // prettier-ignore
  found.push(
    ...decoderStep(choice, failed),
    ...oneQuery(choice, failed),
    ...tokensFirst(choice, failed),
    ...tensorsAsIds(choice, failed, root),
    ...dividedAxes(choice, failed),
    ...severalTensors(choice, failed),
    ...pictureSizes(choice, failed),
  );
  found.push(...withoutBatch(choice, failed));
  found.push(...expectedAxes(choice, failed));
  // `1 - mask` is of numbers.
  if (/with a bool tensor is not supported|boolean subtract/.test(failed.text) && masks.length > 0) found.push(masks.reduce((all, [name]) => withForm(all, name, { mask: 'whole' }), choice)); // prettier-ignore
  if (hasUnequalLengths(failed.text) && !choice.even) found.push({ ...choice, even: true });
  const asserted = assertedText(failed, root);
  const refused = /must match|broadcast|Dimension out of range|^(?:Value|Assertion)Error.*mask/.test(failed.text + asserted); // prettier-ignore
  // What is asserted of a mask's own size is one number for each key.
  for (const rank of masks.length > 0 && refused ? (asserted ? [1, 3, -1] : [3, 1, -1]) : [])
    found.push(masks.reduce((all, [name]) => withForm(all, name, { rank }), choice));
  // A mask of one cell, which hides nothing, fits whatever it is put over.
  if (masks.length > 0 && /broadcast|must match/.test(failed.text)) found.push(masks.reduce((all, [name]) => withForm(all, name, { rank: 0, mask: 'all' }), choice)); // prettier-ignore
  found.push(...otherLengths(choice, failed), ...moreAxes(choice, failed));
  for (const [has, wants] of mismatches(failed.text)) {
    const fits = tensors.filter(([, { shape }]) => shape.at(-1) === has);
    if (fits.length > 1) found.push(fits.reduce((all, [name]) => withForm(all, name, { last: wants }), choice));
    for (const [name] of fits) found.push(withForm(choice, name, { last: wants }));
    const rows = tensors.filter(([, { shape }]) => shape.at(-2) === has);
    if (rows.length > 1) found.push(rows.reduce((all, [name]) => withForm(all, name, { tokens: wants }), choice));
    for (const [name, { shape }] of tensors) if (shape.at(-2) === has) found.push(withForm(choice, name, { tokens: wants })); // prettier-ignore
    for (const [name, size] of failed.asked) if (size === has) found.push(withSize(choice, name, wants));
    if (fits.length === 0 && wants > has && /\bcat\(|concat/.test(root.text))
      found.push(...widerParts(choice, tensors, wants - has));
  }
  found.push(...joinedTokens(choice, failed));
  found.push(...widerTensors(choice, failed), ...withoutTokenAxis(choice, failed));
  if (/'(?:int|float)' object (?:has no attribute|is not)|type '(?:int|float)' has no len|not have enough dimensions \(has 0/.test(failed.text)) for (const [name] of failed.asked) for (const is of ['pair', 'tensor'] as const) if (!choice.forms[name]?.is) found.push(withForm(choice, name, { is })); // prettier-ignore
  if (/same dtype|long long/.test(failed.text)) for (const [name] of tensors) if (namesIds(name) && choice.forms[name]?.ids !== false) found.push(withForm(choice, name, { ids: false })); // prettier-ignore
  found.push(...otherSizes(choice, failed, root));
  return found;
}

/** What an assertion without a message says. */
const assertedText = ({ text, range }: Failed, { text: code, range: { start } }: Root): string =>
  /^AssertionError\W*$/.test(text) ? code.slice(range.start - start, range.end - start) : '';

/**
 * Lengths that follow from two that do not match: 25 and 5 where a query of one token was repeated for each key, 5 and 3 where a table of distances
 * (2n − 1 of them) was shifted to n columns; a window around a token is of odd length.
 */
function otherLengths(choice: Choice, { text, asked, made }: Failed): readonly Choice[] {
  const tensors = [...made].filter(([, { mask, shape }]) => !mask && shape.length > 1);
  const ofLength = (length: number): typeof tensors => tensors.filter(([, { shape }]) => shape.at(-2) === length);
  const found = mismatches(text).flatMap(([a, b]) => [
    ...(a === b * b ? ofLength(b).map(([name]) => withForm(choice, name, { tokens: 1 })) : []),
    // Pairs of tokens: the axis before the last two has as many as the last but one.
    ...tensors.flatMap(([name, { shape }]) => (shape.length === 4 && shape[1] === b && shape[2] === a ? [withForm(choice, name, { channels: a })] : [])), // prettier-ignore
    ...(2 * b === a + 1 ? ofLength(a).flatMap(([name]) => (/pos|rel/.test(name) ? [withForm(choice, name, { tokens: 2 * a - 1 })] : [])) : []), // prettier-ignore
  ]);
  const windows = /must match|invalid for input of size/.test(text) ? [...asked].filter(([name, size]) => /window|kernel/.test(name) && size % 2 === 0) : []; // prettier-ignore
  return [...found, ...windows.map(([name]) => withSize(choice, name, 3))];
}

/** `Dimension out of range (expected to be in range of [-3, 2], but got 3)`: tensors of three axes have four. */
function moreAxes(choice: Choice, { text, made }: Failed): readonly Choice[] {
  const [, rank, got] =
    /Dimension out of range \(expected to be in range of \[-(\d), \d\], but got (\d)\)/.exec(text) ?? [];
  if (rank !== '3' || got !== rank) return [];
  const fits = [...made].filter(([, { mask, ids, shape }]) => !mask && !ids && shape.length === 3);
  // As wide as they were.
  const deeper = (from: Choice, [name, { shape }]: (typeof fits)[number]): Choice => withForm(from, name, { rank: 4, last: shape[2] as number }); // prettier-ignore
  return [...fits.map((one) => deeper(choice, one)), ...(fits.length > 1 ? [fits.reduce(deeper, choice)] : [])];
}

/** What PyTorch's exceptions call number types. */
const otherFloats: Readonly<Record<string, NonNullable<Choice['dtype']>>> = { bfloat16: 'bfloat16', half: 'float16', double: 'float64' }; // prettier-ignore

/** Tensors that are joined are too narrow for the layer behind them: each is widened, what an encoder gives first, as one of both directions is wider. */
function widerParts(
  choice: Choice,
  tensors: readonly (readonly [string, { readonly shape: readonly number[] }])[],
  more: number,
): readonly Choice[] {
  const sorted = [...tensors].sort(([a], [b]) => Number(namesContext(b)) - Number(namesContext(a)));
  return sorted.map(([name, { shape }]) => withForm(choice, name, { last: (shape.at(-1) ?? 0) + more }));
}

/**
 * `einops` says how many axes it expected: a tensor that has as many as it was given has those. `MultiheadAttention` says its width, or that it
 * took what it was given for one input without a batch: that was no table of ids.
 */
function expectedAxes(choice: Choice, { text, made }: Failed): readonly Choice[] {
  const [, width, given] = /expecting embedding dimension of (\d+), but got (\d+)/.exec(text) ?? [];
  if (width !== undefined || text.includes('For unbatched (2-D)')) {
    const flat = [...made].filter(([, { mask, shape }]) => !mask && (given === undefined ? shape.length === 2 : shape.at(-1) === Number(given))); // prettier-ignore
    const last = width === undefined ? {} : { last: Number(width) };
    return flat.length > 0 ? [flat.reduce((all, [name]) => withForm(all, name, { rank: 3, ids: false, ...last }), choice)] : []; // prettier-ignore
  }
  const [, wanted, got] = /expected (\d+) dims\. Received (\d+)-dim tensor/.exec(text) ?? [];
  if (wanted === undefined) return [];
  const fits = [...made].filter(([, { mask, shape }]) => !mask && shape.length === Number(got));
  return fits.map(([name]) => withForm(choice, name, { rank: Number(wanted) }));
}

/** `shape '[1, 5, 2, 8]' is invalid for input of size 40`: tensors of 40 numbers are as wide as it takes, all of them, then each. */
function widerTensors(choice: Choice, { text, made }: Failed): readonly Choice[] {
  const torch = /shape '\[(?<list>[\d, ]+)\]' is invalid for input of size (?<size>\d+)/.exec(text);
  const numpy = /cannot reshape array of size (?<size>\d+) into shape \((?<list>[\d,]+)\)/.exec(text);
  const { list = '', size = '' } = torch?.groups ?? numpy?.groups ?? {};
  const wanted = list.split(',').filter(Boolean).reduce((all, one) => all * Number(one), 1); // prettier-ignore
  const fits = [...made].flatMap(([name, { mask, open, shape }]) => {
    const last = (wanted * (shape.at(-1) ?? 0)) / Number(size);
    return !mask && open && size !== '' && shape.reduce((a, b) => a * b, 1) === Number(size) && Number.isInteger(last) ? [[name, last] as const] : []; // prettier-ignore
  });
  // A mask of the keys of each input, where one of queries and keys stood in.
  const flat = [...made].filter(([, { mask, shape }]) => mask && shape.length === 2 && shape[0] === shape[1] && wanted === usual.batch * (shape[1] as number)); // prettier-ignore
  if (flat.length > 0 && fits.length === 0) return [flat.reduce((all, [name]) => withForm(all, name, { rank: 1 }), choice)]; // prettier-ignore
  if (fits.length === 0) return [...made].flatMap(([name, { mask, shape }]) => moreTokens(choice, name, mask ? [] : shape, wanted / Number(size))); // prettier-ignore
  const all = fits.reduce((one, [name, last]) => withForm(one, name, { last }), choice);
  return [all, ...(fits.length > 1 ? fits.map(([name, last]) => withForm(choice, name, { last })) : [])]; // prettier-ignore
}

/** Where queries and keys of one length were added and nothing was found: a decoder's step has one query, with a token axis or without. */
function oneQuery(choice: Choice, { ran, made }: Failed): readonly Choice[] {
  const tensors = [...made].filter(([, { mask, ids }]) => !mask && !ids);
  const queries = tensors.filter(([name, { shape }]) => /^(?:q|query|queries|h|hidden|s|state|[sh]_prev|dec\w*)(?:_\w+)?$/i.test(name) && shape.length > 1 && shape.at(-2) !== 1); // prettier-ignore
  if (!ran || tensors.length < 2 || queries.length === tensors.length) return [];
  return queries.flatMap(([name]) => [withForm(choice, name, { tokens: 1 }), withForm(choice, name, { rank: 2, tokens: 1 })]); // prettier-ignore
}

/** Where nothing was found: a decoder's step takes one token of each input, and what an encoder gave has its tokens before its inputs, as PyTorch's recurrent layers give it. */
function decoderStep(choice: Choice, { ran, made }: Failed): readonly Choice[] {
  const encoded = [...made].filter(([name, { mask, ids, shape }]) => !mask && !ids && namesContext(name) && shape.length === 3 && shape[0] === usual.batch && shape[1] !== 1); // prettier-ignore
  if (!ran || encoded.length === 0) return [];
  const first = encoded.reduce((all, [name]) => withForm(all, name, { tokensFirst: true }), choice);
  const others = [...made].filter(([name, { mask, shape }]) => !mask && !namesContext(name) && shape.length > 1);
  return [others.reduce((all, [name, { ids }]) => withForm(all, name, ids ? { last: 1 } : { tokens: 1 }), first)];
}

/** What an encoder gives has its inputs where one input was expected: its tokens come first. So they do in all tensors where the code takes the first axis of `w` for its tokens. */
function tokensFirst(choice: Choice, { text, made }: Failed): readonly Choice[] {
  const [, list = '', size] = /shape '\[([\d, ]+)\]' is invalid for input of size (\d+)/.exec(text) ?? [];
  const open = [...made].filter(([, { mask, open, shape }]) => !mask && open && shape.length === 3 && shape[0] === 1);
  const wanted = list.split(',').reduce((all, one) => all * Number(one), 1);
  if (size !== undefined && open.some(([, { shape }]) => wanted * (shape[1] ?? 0) === Number(size))) return [open.reduce((all, [name]) => withForm(all, name, { tokensFirst: true }), choice)]; // prettier-ignore
  const [, wants, has] = (/Expected size (\d+) but got size (\d+)/.exec(text) ?? []).map(Number);
  const fits = [...made].filter(([name, { shape }]) => namesContext(name) && shape.length === 3 && shape[0] === wants && shape[1] === has); // prettier-ignore
  return fits.map(([name]) => withForm(choice, name, { tokensFirst: true }));
}

/** `self.embedding(input)` of numbers that are no ids: the tensors that the statement names, else the first, become ids, of one token or of several. */
function tensorsAsIds(choice: Choice, { text, range, made }: Failed, root: Root): readonly Choice[] {
  if (!text.includes("argument #1 'indices'")) return [];
  const words: readonly string[] =
    root.text.slice(range.start - root.range.start, range.end - root.range.start).match(/\w+/g) ?? [];
  const open = [...made].filter(([, { mask, ids }]) => !mask && !ids);
  const named = open.filter(([name]) => words.includes(name));
  // What an encoder gives is no text any more.
  const others = [...open.filter(([name]) => !namesContext(name)), ...open];
  return (named.length > 0 ? named : others.slice(0, 1)).flatMap(([name]) => [
    // One token of each input, as a decoder's step takes.
    withForm(choice, name, { ids: true, rank: 1, last: usual.batch }),
    withForm(choice, name, { ids: true }),
  ]);
}

/** As many tokens as a picture has places: `x.transpose(1, 2).reshape(B, C, H, W)`, or the axis that `einops` could not take apart. */
function moreTokens(choice: Choice, name: string, shape: readonly number[], times: number): readonly Choice[] {
  const tokens = tokensTimes(shape, times);
  // Once: where more tokens did not help, still more do not.
  return times !== 1 && tokens !== undefined && choice.forms[name]?.tokens === undefined
    ? [withForm(choice, name, { tokens })]
    : [];
}

/** A tensor's number of tokens, multiplied; undefined unless that is a whole number above 1. */
function tokensTimes(shape: readonly number[], times: number): number | undefined {
  const tokens = (shape.at(-2) ?? NaN) * times;
  return shape.length > 2 && Number.isInteger(tokens) && tokens > 1 ? tokens : undefined;
}

function dividedAxes(choice: Choice, { text, made }: Failed): readonly Choice[] {
  const [, has, parts] = /(?:divide axis of length|Shape mismatch,) (\d+) (?:in chunks of|!=) (\d+)/.exec(text) ?? [];
  const tensors = [...made].filter(([, { mask }]) => !mask);
  const fits = tensors.filter(([, { shape }]) => shape.at(-2) === Number(has));
  return [
    ...fits.flatMap(([name, { shape }]) => moreTokens(choice, name, shape, Number(parts) / Number(has))),
    // `(b rows) t d`: of as many inputs as are taken together.
    ...tensors.flatMap(([name, { shape }]) => (shape.length > 2 && shape[0] === Number(has) ? [withForm(choice, name, { inputs: Number(parts) })] : [])), // prettier-ignore
  ];
}

/** `K.T` of a batch turns all axes around: matrices were meant. */
function withoutBatch(choice: Choice, { text, made }: Failed): readonly Choice[] {
  const open = [...made].filter(([, { mask, open, shape }]) => !mask && open && shape.length > 2);
  if (open.length === 0 || !/core dimension|dimensions of batch2|size mismatch|not aligned|must be a matrix/.test(text))
    return [];
  return [open.reduce((all, [name]) => withForm(all, name, { rank: 2 }), choice)];
}

/** `q, k, v = inputs`, as layers of Keras take them: a list, where the first axis of one tensor was taken apart. */
function severalTensors(choice: Choice, { text, made }: Failed): readonly Choice[] {
  const [, wanted, got] = /values to unpack \(expected ([2-4])(?:, got (\d+))?\)/.exec(text) ?? [];
  // `build` takes the shapes apart: of one tensor there are as many numbers as axes.
  const isTaken = (shape: readonly number[]): boolean => got === undefined ? shape.length > Number(wanted) : shape[0] === Number(got); // prettier-ignore
  const fits = [...made].filter(([, { mask, ids, shape }]) => !mask && !ids && isTaken(shape));
  return wanted === undefined ? [] : fits.map(([name]) => withForm(choice, name, { parts: Number(wanted) }));
}

/** `batch1 must be a 3D tensor`, where code gives what stands in an axis more: a state of a decoder has no axis of tokens. */
function withoutTokenAxis(choice: Choice, { text, made }: Failed): readonly Choice[] {
  if (!/batch[12] must be a 3D tensor|repeat dims can not be smaller|must have same number of dimensions|Tensors must have the same number/.test(text)) return []; // prettier-ignore
  const open = [...made].filter(([, { mask, open, shape }]) => !mask && open && shape.length > 2);
  return open.map(([name]) => withForm(choice, name, { rank: 2, tokens: usual.batch }));
}

/** Other kinds, ranks and sizes, whatever was refused. */
export function guessedChoices(choice: Choice, failed: Failed): readonly Choice[] {
  const tensors = [...failed.made].filter(([, { mask }]) => !mask);
  const masks = [...failed.made].filter(([, { mask }]) => mask);
  const open = tensors.filter(([, one]) => one.open);
  if (failed.masks) return [];
  const found: Choice[] = [];
  if (/[Ll]ong|[Ii]nt|indices|index/.test(failed.text)) for (const [name] of tensors) found.push(withForm(choice, name, { ids: true })); // prettier-ignore
  for (const rank of [2, 3, 4, 1]) {
    if (open.length > 1) found.push(open.reduce((all, [name]) => withForm(all, name, { rank }), choice));
    for (const [name] of open) found.push(withForm(choice, name, { rank }));
  }
  for (const [name] of masks) {
    for (const rank of [3, 4, -1, 1]) found.push(withForm(choice, name, { rank }));
    for (const mask of maskKinds) found.push(withForm(choice, name, { mask }));
  }
  for (const [name, size] of failed.asked)
    for (const other of [usual.width, usual.head, usual.queries, usual.heads, 1])
      if (other !== size) found.push(withSize(choice, name, other));
  return found;
}

/** Axes and channels that a layer of pictures says it expected; larger sizes where a part of one, such as an eighth, became 0. */
function pictureSizes(choice: Choice, { text, made, asked, empty }: Failed): readonly Choice[] {
  const tensors = [...made].filter(([, { mask }]) => !mask);
  const [, wanted] = /unpack \(expected (\d+), got \d+\)|Expected (?:4)D tensor/.exec(text) ?? [];
  const rank = text.includes('Expected 4D') ? 4 : Number(wanted);
  if (rank > 0 && rank < 6) return tensors.filter(([, { shape }]) => shape.length !== rank).map(([name]) => withForm(choice, name, { rank })); // prettier-ignore
  // GroupNorm of 32 groups, as a diffusion model has it before its attention.
  if (/divisible by num_groups, but got/.test(text)) return tensors.map(([name]) => withForm(choice, name, { rank: 4, channels: wideEnough })); // prettier-ignore
  const [, channels, got] = /to have (\d+) channels, but got (\d+)/.exec(text) ?? [];
  if (channels !== undefined) {
    // Of a convolution along one axis as many axes as the exception names.
    const axes = /expected input\[([\d, ]+)\]/.exec(text)?.[1]?.split(',').length ?? 4;
    const fits = tensors.filter(([, { shape }]) => shape[1] === Number(got) || shape.length < axes);
    const wide = [...asked].filter(([, size]) => size === Number(channels)).map(([name]) => withSize(choice, name, 64));
    return [...wide.map((one) => [one, 64] as const), [choice, Number(channels)] as const].flatMap(([one, count]) =>
      fits.map(([name, { shape }]) =>
        withForm(one, name, { channels: count, ...(shape.length < axes ? { rank: axes } : {}) }),
      ),
    );
  }
  if (empty !== true) return [];
  return [...asked].flatMap(([name, size]) => (size >= 3 && size < 16 ? [16, 64].map((more) => withSize(choice, name, more)) : [])); // prettier-ignore
}

/** `y.flatten(2)` puts tokens side by side, which are too wide for the layer behind it: as many tokens as make up its width. */
function joinedTokens(choice: Choice, { text, made }: Failed): readonly Choice[] {
  const [, has = 0, wants = 0] = (/\(\d+x(\d+) and (\d+)x\d+\)/.exec(text) ?? []).map(Number);
  const tokens = [...made].flatMap(([name, { mask, shape }]) => (!mask && shape.length > 2 ? [[name, tokensTimes(shape, wants / has)] as const] : [])); // prettier-ignore
  if (has <= wants || tokens.length === 0 || tokens.some(([, n]) => n === undefined)) return [];
  return [tokens.reduce((all, [name, n]) => (n === undefined ? all : withForm(all, name, { tokens: n })), choice)];
}

/** Whether an exception names the numbers of queries and of keys, which were to be equal. */
const hasUnequalLengths = (text: string): boolean =>
  new RegExp(`\\b${usual.queries}\\b.*\\b${usual.keys}\\b|\\b${usual.keys}\\b.*\\b${usual.queries}\\b`).test(text); // prettier-ignore

/** Sizes of a matrix product and of a norm, as the exception names them: the one that is there, and the one that was expected. */
const sizesInProduct = /\(\d+x(\d+) and (\d+)x\d+\)|normalized_shape=\[(\d+)\].*size\[.*?(\d+)\]$/;

/** The same for what takes several tensors: an exception may name several pairs. */
const sizesInPairs = [
  /\((\d+)\) must match .*?\((\d+)\)/g,
  /size (\d+) is different from (\d+)/g,
  /batch2 tensor to be: \[\d+, (\d+)\] but got: \[\d+, (\d+)\]/g,
  /Expected size (\d+) but got size (\d+)/g,
  /has size (\d+) for operand \d+ which does not broadcast with previously seen size (\d+)/g,
  // A mask of a whole context, over a text of fewer tokens.
  /attn_mask is torch\.Size\(\[(\d+), \d+\]\), but should be \((\d+), \d+\)/g,
];

/** Pairs of sizes that an exception says do not fit each other, each in both orders. */
function mismatches(text: string): readonly (readonly [has: number, wants: number])[] {
  const product = sizesInProduct.exec(text)?.filter((part) => part !== undefined);
  const pairs = product ? [product] : sizesInPairs.flatMap((pattern) => [...text.matchAll(pattern)]);
  const sizes = [...pairs.map(([, a, b]) => [Number(a), Number(b)] as const), ...broadcastMismatches(text)];
  return sizes.flatMap(
    ([a, b]) =>
      [
        [a, b],
        [b, a],
      ] as const,
  );
}

/** Sizes of one axis that NumPy does not broadcast: `operands could not be broadcast together with shapes (2,5,8) (11,8)`. */
function broadcastMismatches(text: string): readonly (readonly [number, number])[] {
  const [, a = '', b = ''] =
    /broadcast together with (?:remapped )?shapes \(([\d,]+)\)\s*\(([\d,]+)\)/.exec(text) ?? [];
  const [first, second] = [a, b].map((one) => one.split(',').filter(Boolean).map(Number).reverse());
  return (first ?? []).flatMap((size, i) => {
    const other = second?.[i];
    return other === undefined || size === other || size === 1 || other === 1 ? [] : [[size, other] as const];
  });
}
