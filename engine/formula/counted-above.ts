/** `\\alpha^t = \\dots`: what an equation defines is no power. Where a document defines a name with a letter above it, that letter counts everywhere. */
import { sentenceAround, type Parsed } from './meaning';
import { bare, mapped, partsOf, statements, type Expression, type SymbolPart } from './tree';

interface Above {
  readonly base: SymbolPart;
  readonly letter: Expression;
  readonly key: string;
}

/** Replaces the expressions in which such a name stands. */
export function readCountedAbove(text: string, parsed: Parsed[]): void {
  const names = new Set<string>();
  for (const { expression } of parsed)
    for (const one of expression ? statements(expression) : []) {
      const [left] = one.kind === 'relation' && /^[=∈]$/.test(one.signs[0] ?? '') ? one.sides : [];
      const key = left && aboveOf(left)?.key;
      // e's powers are exponentials.
      if (key === undefined || key.startsWith('e')) continue;
      // `q^i = a^i W^q`: the letter counts on both sides.
      for (const part of partsOf(one)) {
        const other = aboveOf(part)?.key;
        if (other?.slice(1) === key.slice(1) && !other.startsWith('e')) names.add(other);
      }
    }
  for (const { expression } of parsed)
    for (const part of expression ? partsOf(expression) : []) {
      // `softmax(e^t)`: of scores that are called so.
      const [scores, more] = part.kind === 'call' && /soft ?max/i.test(part.name) ? part.args : [];
      const key = scores && !more ? aboveOf(scores)?.key : undefined;
      if (key?.startsWith('e')) names.add(key);
    }
  if (names.size > 0) leaveSteps(text, parsed, names);
  for (const { expression } of parsed)
    for (const part of expression ? partsOf(expression) : []) {
      // `Q^0`, `K^1`: no matrix of queries is raised to such a power, nor then to another.
      const [base, value] = numberAbove(part);
      if (base !== undefined && value < 2) names.add(`${base.name}#`);
    }
  if (names.size === 0) return;
  parsed.forEach((one, i) => {
    if (one.expression) parsed[i] = { ...one, expression: mapped(one.expression, (of) => indexed(of, names)) };
  });
}

/** Not e, whose powers are exponentials. */
const oneLetter = /^[a-df-zα-ω]$/;

const ofWhole = /\b(?:layers?|blocks?|sequences?|batch(?:es)?|sentences?|all (?:of )?(?:the )?tokens|iterations?|Schicht(?:en)?|Sequenz(?:en)?)\b|层|批/i; // prettier-ignore

/** `z^{(k)} = z^{(k-1)} + …`, "all tokens after block $k$": what counts steps, or whole sequences, counts no tokens. */
function leaveSteps(text: string, parsed: readonly Parsed[], names: Set<string>): void {
  const left = new Set<string>();
  for (const { expression, region } of parsed) {
    if (!expression) continue;
    let kinds: string[] = [];
    for (const part of partsOf(expression)) {
      const key = aboveOf(part)?.key;
      if (key !== undefined && names.has(key)) kinds.push(key.slice(1));
      const [letter, isBracketed] = stepOf(part);
      if (letter !== undefined) left.add(isBracketed ? '(' : letter === 'j' ? 'i' : letter);
    }
    if (kinds.length > 0 && !ofWhole.test(sentenceAround(text, region.outer))) kinds = [];
    for (const kind of kinds) left.add(kind);
  }
  for (const name of [...names]) if (left.has(name.slice(1))) names.delete(name);
}

/** k of `z^{(k-1)}` and `z^{k+1}`, and whether it stands in brackets. */
function stepOf(part: Expression): readonly [string | undefined, boolean] {
  if (part.kind !== 'power' || part.base.kind !== 'symbol' || !oneLetter.test(part.base.name))
    return [undefined, false];
  const sum = bare(part.exponent);
  const letter = sum.kind === 'sum' && sum.terms.some(({ kind }) => kind === 'number') ? sum.terms.find((term) => term.kind === 'symbol') : undefined; // prettier-ignore
  return [letter?.kind === 'symbol' ? letter.name : undefined, part.exponent.kind === 'group' && part.exponent.of.kind === 'group' || part.exponent.kind === 'group' && part.exponent.open === '(']; // prettier-ignore
}

function aboveOf(of: Expression): Above | undefined {
  if (of.kind === 'transpose' && of.small && of.of.kind === 'symbol' && /^[a-zα-ω]$/.test(of.of.name))
    return above(of.of, { kind: 'symbol', name: 't', range: of.range }, 't');
  // `x^{(i)}`, and then `x^{(1)}`; `h^{(l)}` is of a layer.
  const [, inBrackets] =
    of.kind === 'symbol' && oneLetter.test(of.name) ? (/^\(([a-km-z])\)$/.exec(of.label ?? '') ?? []) : [];
  if (of.kind === 'symbol' && inBrackets !== undefined) {
    const { label: _, ...base } = of;
    return above(base, { kind: 'symbol', name: inBrackets, range: of.range }, '(');
  }
  if (of.kind !== 'power' || of.base.kind !== 'symbol' || !/^[a-zα-ω]$/.test(of.base.name)) return undefined;
  const letter = bare(of.exponent);
  // `k^j` is counted as `k^i` is.
  return letter.kind === 'symbol' && /^[a-z]$/.test(letter.name) && !letter.index && letter.label === undefined ? above(of.base, letter, letter.name === 'j' ? 'i' : letter.name) : undefined; // prettier-ignore
}

const numberAbove = (of: Expression): readonly [SymbolPart | undefined, number] =>
  of.kind === 'power' && of.base.kind === 'symbol' && /^[QKV]$/.test(of.base.name) && !of.base.index && of.exponent.kind === 'number' ? [of.base, of.exponent.value] : [undefined, NaN]; // prettier-ignore

const above = (base: SymbolPart, letter: Expression, kind: string): Above => ({ base, letter, key: base.name + kind });

function indexed(of: Expression, names: ReadonlySet<string>): Expression {
  const [, digits] = of.kind === 'symbol' ? (/^\((\d+)\)$/.exec(of.label ?? '') ?? []) : [];
  if (of.kind === 'symbol' && digits !== undefined && names.has(`${of.name}(`)) {
    const { label: _, ...base } = of;
    return { ...base, index: [...(base.index ?? []), { kind: 'number', value: Number(digits), range: of.range }] };
  }
  const [base, value] = numberAbove(of);
  // `Q = X Q^0`: 0 counts nothing, it makes another name.
  if (base && names.has(`${base.name}#`)) return value === 0 && base.label === undefined ? { ...base, label: '0', range: of.range } : { ...base, index: [{ kind: 'number', value, range: of.range }], range: of.range }; // prettier-ignore
  const found = aboveOf(of);
  return found && names.has(found.key) ? { ...found.base, index: [...(found.base.index ?? []), found.letter], range: of.range } : of; // prettier-ignore
}
