/** `\\alpha^t = \\dots`: what an equation defines is no power. Where a document defines a name with a letter above it, that letter counts everywhere. */
import type { Parsed } from './meaning';
import { bare, mapped, partsOf, statements, type Expression, type SymbolPart } from './tree';

interface Above {
  readonly base: SymbolPart;
  readonly letter: Expression;
  readonly key: string;
}

/** Replaces the expressions in which such a name stands. */
export function readCountedAbove(parsed: Parsed[]): void {
  const names = new Set<string>();
  for (const { expression } of parsed)
    for (const one of expression ? statements(expression) : []) {
      const [left] = one.kind === 'relation' && /^[=∈]$/.test(one.signs[0] ?? '') ? one.sides : [];
      const key = left && aboveOf(left)?.key;
      if (key === undefined) continue;
      // `q^i = a^i W^q`: the letter counts on both sides.
      for (const part of partsOf(one)) {
        const other = aboveOf(part)?.key;
        if (other?.slice(1) === key.slice(1)) names.add(other);
      }
    }
  if (names.size === 0) return;
  parsed.forEach((one, i) => {
    if (one.expression) parsed[i] = { ...one, expression: mapped(one.expression, (of) => indexed(of, names)) };
  });
}

const oneLetter = /^[a-zα-ω]$/;

function aboveOf(of: Expression): Above | undefined {
  if (of.kind === 'transpose' && of.small && of.of.kind === 'symbol' && oneLetter.test(of.of.name))
    return above(of.of, { kind: 'symbol', name: 't', range: of.range }, 't');
  // `x^{(i)}`, and then `x^{(1)}`; `h^{(l)}` is of a layer.
  const [, inBrackets] =
    of.kind === 'symbol' && oneLetter.test(of.name) ? (/^\(([a-km-z])\)$/.exec(of.label ?? '') ?? []) : [];
  if (of.kind === 'symbol' && inBrackets !== undefined) {
    const { label: _, ...base } = of;
    return above(base, { kind: 'symbol', name: inBrackets, range: of.range }, '(');
  }
  if (of.kind !== 'power' || of.base.kind !== 'symbol' || !oneLetter.test(of.base.name)) return undefined;
  const letter = bare(of.exponent);
  // `k^j` is counted as `k^i` is.
  return letter.kind === 'symbol' && /^[a-z]$/.test(letter.name) && !letter.index && letter.label === undefined ? above(of.base, letter, letter.name === 'j' ? 'i' : letter.name) : undefined; // prettier-ignore
}

const above = (base: SymbolPart, letter: Expression, kind: string): Above => ({ base, letter, key: base.name + kind });

function indexed(of: Expression, names: ReadonlySet<string>): Expression {
  const [, digits] = of.kind === 'symbol' ? (/^\((\d+)\)$/.exec(of.label ?? '') ?? []) : [];
  if (of.kind === 'symbol' && digits !== undefined && names.has(`${of.name}(`)) {
    const { label: _, ...base } = of;
    return { ...base, index: [...(base.index ?? []), { kind: 'number', value: Number(digits), range: of.range }] };
  }
  const found = aboveOf(of);
  return found && names.has(found.key) ? { ...found.base, index: [...(found.base.index ?? []), found.letter], range: of.range } : of; // prettier-ignore
}
