// Sentences of the course that say numbers: the numbers are read from the sentence, and NumPy says whether it is true of them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pythonOrSkip } from '../reference/python';

const folder = join(__dirname, '../../extension/lessons');
const names = readdirSync(folder);
/** A lesson's text, its lines joined: sentences go on over them. */
const textOf = (start: string): string =>
  readFileSync(join(folder, names.find((name) => name.startsWith(start)) ?? ''), 'utf8').replace(/\s+/g, ' ');

/** Numbers in prose that claim nothing: names of states, inputs of a block that stands there, numbers of sections and steps of training. */
const given: Readonly<Record<string, readonly number[]>> = {
  '01': [1000, 999, 998, 0.2],
  '02': [6864],
  '04': [64],
  '05': [101, 103, 102],
  '08': [3.5, 10000],
  '09': [100, 300, 200],
  '12': [32, 128],
  '13': [103, 105, 10000],
  '14': [600, 1000, 1400, 1600, 2000, 5000],
  '16': [64, 0.05, 0.15, 0.65, 0.03, 0.07],
};

/** Numbers of prose with a point or of two digits and more, without years, numbers of lessons, code, figures that are filled in and links. */
const numbersOfProse = (source: string): number[] => {
  const prose = source
    .replace(/^(`{3,}|~{3,})[^\n]*\n[^]*?^\1[ \t]*$/gm, '')
    .replace(/\{\{[^}]*\}\}|\]\([^)]*\)|`[^`\n]*`|^#.*$/gm, '')
    .replace(/\b(?:19|20)\d\d\b|\blessons? \d+(?:(?:,| and| or) \d+)*/gi, '');
  const found = [...prose.matchAll(/(?<![\w.])[−-]?\d(?:[\d,]*\d)?(?:\.\d+)?/g)].map(([x]) => x);
  return found.filter((x) => x.includes('.') || x.replace(/[,−-]/g, '').length > 1).flatMap(numbersIn);
};

interface Claim {
  readonly name: string;
  readonly lesson: string;
  /** What is said; its groups are the numbers that it is said of. */
  readonly says: RegExp;
  /** Numbers of the computation that the sentence leaves to its context. */
  readonly given?: readonly number[];
}

const claims: readonly Claim[] = [
  { name: 'nine words', lesson: '01', says: /\*half\*\* of what it had in mind.*?A word that was read (nine) words ago has a weight of less than a (thousandth)/ },
  { name: 'eight times', lesson: '01', says: /"id": "state".*?\*One\* is (eight) times as strong as \*many\*/ },
  { name: 'a half', lesson: '01', says: /"weights": (\[\[.*?\]\]), "v": (\[\[.*?\]\])/ },
  { name: 'names', lesson: '02', says: /\*keys\* is (\d+), \*kind\* is (\d+) and \*key\* is (\d+)/ },
  { name: 'bytes', lesson: '02', says: /cut into bytes, of which there are (\d+), nothing is/ },
  { name: 'mixed', lesson: '03', says: /X is D×N: (\d)×(\d)\..*?With X as 4×3 the product with Wᵀ would not exist/, given: [4] },
  { name: 'long key', lesson: '04', says: /Q = \[\[(\d), (\d)\]\] K = \[\[(\d), (\d)\], \[(\d), (\d)\], \[(\S+), (\S+)\]\].*?A long key beats one that points exactly the right way/ },
  { name: 'wider', lesson: '04', says: /rows that are (\d+) times as wide, are typical scores 64 times as large, (\d) times, or the same\? (Eight) times/ },
  { name: '√4', lesson: '04', says: /Divided by √(\d) = (\d), not by 4/ },
  { name: 'powers', lesson: '04', says: /(\d)\^−0\.5 is ½/ },
  { name: 'differences', lesson: '04', says: /\((\d+), (\d+) and (\d+) have the weights of (\d), (\d) and (\d)\)/ },
  { name: 'variance', lesson: '04', says: /variance of such scores back to (\d), however wide the heads are: on average.*?width (\d+) with and without/ },
  { name: 'sums', lesson: '05', says: /divide by the sum: 1\/(\d), 3\/6, 2\/6\. Try that with 1, −1, 2, or with 1, −1, (\d)\./ },
  { name: 'quarter', lesson: '05', says: /a·\(1 − a\) is at most (¼), where a is ½/ },
  { name: 'rounded', lesson: '05', says: /No weight is negative \(that of a finite score is positive, though it may be so small that it is rounded to (0)\)/ },
  { name: 'overflow', lesson: '05', says: /\$e\^\{(\d+)\}\$ is too large for float64, \$e\^\{(\d+)\}\$ for float32/ },
  { name: 'hidden', lesson: '06', says: /(Three) in row 0, two in row 1, one in row 2, none in row 3: n·\(n − 1\)\/2/, given: [4] },
  { name: 'exercises', lesson: '06', says: /a text of (five) words: \*\*the king met the queen\*\*.*?another: (four) in all/ },
  { name: 'zeroed', lesson: '06', says: /No: e\^(\d) = (\d) counts in the sum/ },
  { name: 'heads', lesson: '07', says: /the width of one head: √(\d) here, not √(\d)/ },
  { name: 'reshaped', lesson: '07', says: /begins with Q\[(\d), (\d)\], the row of another token.*?Its place \[1, 2, 0\] holds Q\[(\d), (\d)\]/ },
  { name: 'exchanged', lesson: '08', says: /Attention without a mask does not know what stands first\. .*?A causal mask, lesson 6, does tell earlier from later/, given: [1e-12] },
  { name: 'degrees', lesson: '08', says: /The angle (\d+) is in radians, about (\d+)°/ },
  { name: 'calculator', lesson: '08', says: /set to degrees says (\d\.\d+)/ },
  { name: 'slower', lesson: '08', says: /Columns 2 and 3 turn a hundred times slower.*?The angle is 3 ÷ (\d+)\./ },
  { name: 'round', lesson: '08', says: /It will tell token 3 from token (\d+), as the first cannot: that one has gone round (many) times/ },
  { name: 'exponents', lesson: '08', says: /exponent is ¼, the angle (\d\.\d+) and its cosine (\d\.\d+)\..*?exponent is ½, the angle (\d\.\d+) and its cosine (\d\.\d+)\./ },
  { name: 'shrinking', lesson: '09', says: /"weights": (\[\[.*?\]\]), "v": (\[\[.*?\]\]).*?shrink to a quarter in each round: (\d) becomes (\d\.\d), then (\d\.\d+)\./ },
  { name: 'twice the matrices', lesson: '09', says: /d_model is (\d+) and the MLP four times as wide.*?Four times 64·64 is (\d+,\d+), .*?two (thirds) of the weights/ },
  { name: 'normalised', lesson: '09', says: /Row 2 is 5, 5, 5, 9: its mean is (\d), its variance \(1 \+ 1 \+ 1 \+ 9\) ÷ 4 = (\d)\..*?normalised row: (\d\.\d+) in place of 9/ },
  { name: 'differences left', lesson: '09', says: /Add (\d) to each number of a row, and LayerNorm gives what it gave before/ },
  { name: 'source order', lesson: '10', says: /Exchange (two) words of the source, each with its key and its value, and no output changes/ },
  { name: 'products', lesson: '11', says: /Each of the (\d+) scores of a head is a sum of (\d+) products, and there are (\d) heads/ },
  { name: 'meet', lesson: '11', says: /they meet where n = 2·d: at (\d+) tokens for our width of (\d+)\. For a model that is (\d,\d+) wide it is at (\d,\d+) tokens/ },
  { name: 'long row', lesson: '11', says: /a long row can get as much weight from another row as that gives itself, or more\. .*?X = \[\[(\S+), (\S+), (\S+)\], \[(\S+), (\S+), (\S+)\], \[(\S+), (\S+), (\S+)\]\]/ },
  { name: 'kept', lesson: '12', says: /Llama 3 8B: (\d+) layers, heads (\d+) wide, two bytes for a number\. With its (\d+) heads .*?, (\d+,\d+) bytes\. For (\d,\d+) tokens that is (\d) GiB.*?Llama 3 8B has (\d) for its 32 query heads: (\d+,\d+) bytes a token, (\d) GiB/ },
  { name: 'groups', lesson: '12', says: /`repeat` gives (\d), (\d), (\d), (\d): groups/ },
  { name: 'turned', lesson: '13', says: /cos 5 = (\d\.\d+), sin 5 = −(\d\.\d+)\..*?"numbers": \[(\S+), (\S+)\] \} \} \], "explanation": "Five/ },
  { name: 'shifted', lesson: '13', says: /A dot product sees just that: lengths and the (angle) between/ },
  { name: 'once around', lesson: '13', says: /A whole turn is (\d\.\d+)\..*?cos (\d) = .*? and cos (\d) = .*?: the hand is nearly once around/ },
  { name: 'equal row', lesson: '14', says: /That would be 1\/(\d+) = (\d\.\d+) for each/ },
  { name: 'equal row', lesson: '14', says: /a row of equal weights, 1\/(\d+) ≈ (\d\.\d+)\?/ },
  { name: 'lengths', lesson: '14', says: /In head (2) the value of `<s>` has a length of (\d\.\d+); those of the other tokens of the first text have (\d\.\d+) on average/ },
  { name: 'learned', lesson: '14', says: /another model of this kind, with (\d+,\d+) numbers/, given: [1] },
  { name: 'learned', lesson: '14', says: /and (\d+,\d+) numbers that training changes/, given: [0] },
  { name: 'learned', lesson: '15', says: /with a model of (\d+,\d+) numbers/, given: [2] },
  { name: 'cut off', lesson: '16', says: /weights of one token, (\S+), (\S+), (\S+) and (\S+)\. How.*?w_21 = (\S+)", .*?w_22 = (\S+)", .*?w_23 = (\S+)", .*?w_24 = (\S+)\. What/ },
  { name: 'order kept', lesson: '16', says: /(\d\.\d), that of the second “the”, cannot get more weight than (\d\.\d), that of “mat”/ },
  { name: 'eighths', lesson: '16', says: /scores between (\d\.\d) and (\d\.\d) become numbers between (\d\.\d+) and (\d\.\d+)\./ },
  { name: 'printed', lesson: '16', says: /weights: ```text \[\[(\S+) (\S+) (\S+) \] \[(\S+) (\S+) (\S+) \] \[(\S+) (\S+) (\S+)\]\]/ },
]; // prettier-ignore

const inWords: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, eight: 8, nine: 9, thousandth: 0.001, thirds: 3, '¼': 0.25, angle: 1, many: 10 }; // prettier-ignore

/** A number as a sentence writes it (4,096, −3, eight), or those of a matrix, row by row. */
const numbersIn = (said: string): number[] =>
  said.startsWith('[[')
    ? (JSON.parse(said) as number[][]).flat()
    : [inWords[said.toLowerCase()] ?? Number(said.replace(/,/g, '').replace('−', '-'))];

/** The numbers of a sentence in the order in which its computation takes them. */
function numbersOf({ name, lesson, says, given = [] }: Claim): readonly number[] {
  const found = says.exec(textOf(lesson));
  assert.ok(found, `lesson ${lesson} no longer says ${says}`);
  const said = found.slice(1).flatMap(numbersIn);
  assert.ok(said.every(Number.isFinite), `${name}: ${found.slice(1).join()}`);
  return name === 'variance' ? [...said.reverse(), ...given] : [...said, ...given];
}

type Asked = readonly [name: string, numbers: readonly number[]];

/** The claims that NumPy finds to be true, of those that are asked for. */
function holding(python: string, asked: readonly Asked[]): readonly string[] {
  const program = join(__dirname, '../reference/lesson_claims.py');
  const { stdout, stderr, status } = spawnSync(python, [program], { input: JSON.stringify(asked), encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const found = JSON.parse(stdout) as readonly boolean[];
  assert.equal(found.length, asked.length);
  return asked.flatMap(([name], i) => (found[i] ? [name] : []));
}

describe('what the course says in numbers', function () {
  this.timeout(60_000);

  it('is what NumPy computes', function () {
    const python = pythonOrSkip(this, 'numpy');
    const found = holding(python, claims.map((claim) => [claim.name, numbersOf(claim)]));
    assert.deepEqual(found, claims.map(({ name }) => name));
  }); // prettier-ignore

  it('would be found to be wrong with other numbers', function () {
    const python = pythonOrSkip(this, 'numpy');
    const wrong: readonly Asked[] = [
      ['slower', [10]], ['degrees', [1, 58]], ['overflow', [711, 89]], ['variance', [64, 8]], ['mixed', [4, 4, 4]],
      ['differences', [1001, 1002, 1003, 1, 2, 4]], ['exchanged', [0]], ['products', [49, 8, 4]], ['√4', [4, 4]], ['zeroed', [0, 0]],
      ['long row', [5, 0, 0, 0, 5, 0, 0, 0, 5]], ['order kept', [1.8, 1]], ['heads', [8, 8]], ['bytes', [128]],
      ['nine words', [8, 0.001]], ['eight times', [4]], ['a half', [...[1, 0, 0.4, 0.6], ...[0, 0, 1, 0]]], ['names', [242, 241, 243]],
      ['long key', [1, 2, 1, 2, 4, 0, -2, -1]], ['wider', [64, 8, 64]], ['powers', [2]], ['sums', [5, 0]], ['quarter', [0.2]],
      ['hidden', [4, 4]], ['exercises', [5, 5]], ['reshaped', [2, 2, 0, 3]], ['calculator', [0.84]], ['differences left', [NaN]], ['source order', [1]], ['round', [3, 10]],
      ['exponents', [0.1, 0.99, 0.01, 0.99995]], ['shrinking', [...[0.5, 0.5, 0.5, 0.5], ...[0, 0, 6, 6], 6, 1.5, 0.375]],
      ['twice the matrices', [64, 16384, 4]], ['normalised', [6, 4, 1.5]], ['meet', [64, 64, 4096, 8192]],
      ['kept', [32, 128, 32, 524288, 8192, 4, 8, 262144, 2]], ['groups', [0, 1, 0, 1]], ['turned', [0.2837, 0.9589, -0.6536, 0.7]],
      ['shifted', [0.5]], ['once around', [6.28, 1, 3]], ['equal row', [22, 0.046]], ['lengths', [1, 0.79, 5.52]], ['learned', [121408, 2]],
      ['eighths', [0.6, 4.1, 0.075, 0.6]], ['printed', [1, 0, 0, 0.1956, 0.8044, 0, 0.4011, 0.4011, 0.1978]], ['rounded', [-1]], ['cut off', [0.0047, 0.5463, -13.57, -1.73, 0.00466374, 0.5462668, -13.573791, -1.7212026]],
    ]; // prettier-ignore
    assert.deepEqual(new Set(wrong.map(([name]) => name)), new Set(claims.map(({ name }) => name)));
    assert.deepEqual(holding(python, wrong), []);
  });

  it('is all that it says in numbers: what is not compared is given, not claimed', () => {
    for (const name of names.filter((file) => /^\d\d-/.test(file))) {
      const number = name.slice(0, 2);
      const said = claims.filter(({ lesson }) => lesson === number);
      const compared = said.flatMap(({ says }) => (says.exec(textOf(number)) ?? []).slice(1).flatMap(numbersIn));
      const known = new Set([...compared, ...(given[number] ?? [])].map(Math.abs));
      const left = numbersOfProse(readFileSync(join(folder, name), 'utf8')).filter((x) => !known.has(Math.abs(x)));
      assert.deepEqual(left, [], `${name} says numbers that nothing computes`);
    }
    assert.deepEqual(numbersOfProse('# 12\n\nIn 2017, as lesson 3 says, 0.5 of 1,000 is `99` or {{a:b[10,11]}}.\n'), [0.5, 1000]);
  }); // prettier-ignore

  it('names the second “the” by the scores that stand there', () => {
    const scores = /"scores": \[ \[[^\]]*\], \[([^\]]*)\]/.exec(textOf('16'))?.[1]?.split(',').map(Number);
    assert.deepEqual([scores?.[4], scores?.[5]], [1.0, 1.8]);
  });

  it('counts from 0 where a text counts from 1, and says so before it asks', () => {
    const text = textOf('16');
    const said = text.search(/its token 2 is our token 1, and its w_21 stands in row 1, column 0/);
    assert.ok(said > 0 && said < text.indexOf('w_21 = 0.00466374'));
    assert.match(
      text,
      /"w_21 = 0\.00466374", "claim": \{ "is": "equal", "value": \{ "step": "weights", "cell": \[1, 0\]/,
    );
  });
});
