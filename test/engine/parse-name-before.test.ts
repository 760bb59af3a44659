// The name before a literal: where it is found, how it is written, and where looking for it ends.
import assert from 'node:assert/strict';
import { nameBefore, wordBefore } from '../../engine/parse/name-before';

/** `how name@offset role` of what stands before the `|`, with `!` where the name begins its statement, and `op` with the text of an operator. */
function found(marked: string): string {
  const start = marked.indexOf('|');
  const text = marked.slice(0, start) + marked.slice(start + 1);
  const { how, name, range, startsStatement, operator, role, index } = nameBefore(text, start);
  if (range) assert.equal(text.slice(range.start, range.end), name);
  const parts = [
    how === 'none' ? '' : `${how} ${name}@${range?.start}${startsStatement ? '!' : ''}`,
    role && `${role}${index ?? ''}`,
    operator && `op ${text.slice(operator.start, operator.end)}@${operator.start}`,
  ];
  return parts.filter(Boolean).join(' ');
}

function test(cases: readonly (readonly [string, string])[]): void {
  for (const [text, expected] of cases) it(text.replaceAll('\n', '⏎').replace(/(.)\1{20,}/gs, '$1…'), () => assert.equal(found(text), expected)); // prettier-ignore
}

const [x, blank] = ['x', ' '].map((c) => (count: number): string => c.repeat(count)) as [(count: number) => string, (count: number) => string]; // prettier-ignore

describe('a name that is assigned', () => {
  test([
    ['Q = |', 'assigned Q@0! q'],
    ['Q=|', 'assigned Q@0! q'],
    ['foo = |', 'assigned foo@0!'],
    ['x = 1\nQ = |', 'assigned Q@6! q'],
    ['f(Q = |', 'assigned Q@2 q'],
    ['f(size=|', 'assigned size@2'],
    ['const let var = |', 'assigned var@10!'],
    ['public static final Q = |', 'assigned Q@20! q'],
    ['number Q = |', 'assigned Q@7 q'],
    ['>>> Q = |', 'assigned Q@4! q'],
    ['  - Q = |', 'assigned Q@4! q'],
    ['Q := |', 'assigned Q@0! q'],
    ['self.W_q = |', 'assigned self.W_q@0! wq'],
    ['..Q = |', 'assigned Q@2 q'],
    ['x₃ = |', 'assigned x₃@0! xi3'],
    ['**Q** = |', 'assigned Q@2! q'],
    ['`Q` = |', 'assigned Q@1! q'],
    ['1 = |', ''],
    ['= |', ''],
    ['|', ''],
    ['if = |', ''],
    ['global = |', ''],
    ['const number Q = |', 'assigned Q@13 q'],
    ['Q:=|', 'assigned Q@0! q'],
    ['**Q =**\n|', 'assigned Q@2! q'],
    ['`Q =`\n|', 'assigned Q@1! q'],
    ["'a'' = |", ''],
    ['let K: Array<Array<number>>= |', 'assigned K@4! k'],
    // Comparisons, and assignments that compute.
    ['Q == |', ''],
    ['Q != |', ''],
    ['Q <= |', ''],
    ['Q >= |', ''],
    ['Q += |', 'op +=@2'],
    ['Q *= |', 'op *=@2'],
    ['Q -= |', 'op -=@2'],
    ['Q @= |', 'op @=@2'],
    ['Q /= |', 'op /=@2'],
    // Several targets, of which the last is not that of the first literal.
    ['Q, K, V = |', ''],
    ['(Q), K = |', 'assigned K@5 k'],
    ['Q,\nK = |', 'assigned K@3! k'],
    // With a type.
    ['Q: np.ndarray = |', 'assigned Q@0! q'],
    ['Q : list = |', 'assigned Q@0! q'],
    ['Q: List[List[float]] = |', 'assigned Q@0! q'],
    ['const K: number[][] = |', 'assigned K@6! k'],
    ['let K : Array<Array<number>> = |', 'assigned K@4! k'],
    ['K: Dict[str: int] = |', 'assigned K@0! k'],
    ['Q[0] = |', ''],
    ['K: int]] = |', ''],
    ['K:\nint[] = |', ''],
    [': int[] = |', ''],
    [': int = |', 'assigned int@2'],
    // In quotes and brackets.
    ["params['W_q'] = |", 'assigned W_q@8 wq'],
    ['params["W_q"]=|', 'assigned W_q@8 wq'],
    ["'Q' = |", 'assigned Q@1! q'],
    ["'' = |", ''],
    ['\'Q" = |', ''],
    ["'a\nb' = |", ''],
    // On the line above.
    ['Q =\n|', 'assigned Q@0! q'],
    ['Q =\n\n|', 'assigned Q@0! q'],
    ['Q =\n\n\n|', ''],
    ['Q =\r\n\r\n|', 'assigned Q@0! q'],
    ['Q =\r\r\r|', ''],
    ['Q =\r\n\r\n\r\n|', ''],
    ['Q = \\n|', 'assigned Q@0! q'],
    ['"Q = \\n",\n  "|', 'assigned Q@1! q'],
    ['"Q = \\n"\n"|', 'assigned Q@1! q'],
    ['Q = "|', ''],
    ['Q = x"|', ''],
    ['Q = ""|', ''],
    ['Q = " "|', ''],
    ['Q = \\n""|', ''],
    ['Q = \\n\\n\\n|', ''],
    ['Q\\n|', 'heading Q@0! q'],
  ]);
});

describe('a name with a colon, an arrow or in a pair', () => {
  test([
    ['Q: |', 'labelled Q@0! q'],
    ['foo: |', 'labelled foo@0!'],
    ['Q → |', 'labelled Q@0! q'],
    ['Q -> |', 'labelled Q@0! q'],
    ['Q => |', 'labelled Q@0! q'],
    ['Q > |', ''],
    ['{"Q": |', 'labelled Q@2! q'],
    ['{"a": 1, "Q": |', 'labelled Q@10 q'],
    ['{a: 1, Q: |', 'labelled Q@7 q'],
    ['f(Q: |', 'labelled Q@2 q'],
    ['{Q: |', 'labelled Q@1! q'],
    ['[a; Q: |', 'labelled Q@4 q'],
    ['Q: [[1]] K: |', 'labelled K@9 k'],
    ['f(1) K: |', 'labelled K@5 k'],
    ['Q: 1 K: |', ''],
    ['Q:: |', ''],
    ['Query matrix:: |', ''],
    ['**Query matrix**: |', 'labelled Query matrix@2! q'],
    ['Q→|', 'labelled Q@0! q'],
    ['Q->|', 'labelled Q@0! q'],
    ['(qkq, |', ''],
    ['if (a) K: |', 'labelled K@7 k'],
    ['lambda: |', ''],
    ['1: |', ''],
    ['* Q: |', 'labelled Q@2! q'],
    ['- **Q**: |', 'labelled Q@4! q'],
    ['# Q: |', 'labelled Q@2! q'],
    ['cat → |', 'labelled cat@0!'],
    ['if x: |', ''],
    ['lambda x: |', ''],
    ['else: |', ''],
    ['f(lambda x: |', ''],
    ['f(x, lambda y: |', ''],
    // A phrase, whose words agree where it has a role.
    ['Query matrix Q: |', 'labelled Query matrix Q@0! q'],
    ['The values: |', 'labelled The values@0!'],
    ['shape of Q: |', 'labelled shape of Q@0!'],
    ['if matrix Q: |', ''],
    ['Q and K: |', 'labelled Q and K@0!'],
    ['Query key: |', 'labelled Query key@0!'],
    ['a, matrix Q: |', ''],
    ['the weights W_q: |', 'labelled the weights W_q@0! wq'],
    ['Q-a.b matrix: |', 'labelled Q-a.b matrix@0!'],
    // As PyTorch prints parameters.
    ['Q\nParameter containing:\n|', 'heading Q@0! q'],
    ["('q_proj.weight', |", 'labelled q_proj.weight@2 wq'],
    ["OrderedDict([('q_proj.weight', |", 'labelled q_proj.weight@15 wq'],
    ["OrderedDict(('q_proj.weight', |", 'labelled q_proj.weight@14 wq'],
    ["f('q', |", ''],
    ["('foo', |", ''],
    ["['q', |", ''],
    ["'q', |", ''],
    ['q, |', ''],
    [', |', ''],
  ]);
});

describe('a name above', () => {
  test([
    ['Q\n|', 'heading Q@0! q'],
    ['Q\n\n|', 'heading Q@0! q'],
    ['Q\n\n\n|', ''],
    ['Q\r\n\r\n|', 'heading Q@0! q'],
    ['foo\n|', 'heading foo@0!'],
    ['values\n|', 'heading values@0! v'],
    ['the matrix\n|', 'heading the matrix@0!'],
    ['## Query matrix\n\n|', 'heading Query matrix@3! q'],
    ['**Q**\n|', 'heading Q@2! q'],
    ['> `Q`\n|', 'heading Q@3! q'],
    ["'Q':\n|", 'labelled Q@1! q'],
    ['Q\n```python\n|', 'heading Q@0! q'],
    ['Q\n\n```python\n|', 'heading Q@0! q'],
    [`Q\n\`\`\`${x(16)}\n|`, 'heading Q@0! q'],
    [`Q\n\`\`\`${x(17)}\n|`, `heading ${x(17)}@5!`],
    ['one two three\n|', 'heading one two three@0!'],
    ['one two three four\n|', ''],
    [`${x(40)}\n|`, `heading ${x(40)}@0!`],
    [`${x(41)}\n|`, ''],
    ['not a name\n|', ''],
    ['f(x)\n|', ''],
    ['1st\n|', ''],
    ['a.b-c\n|', 'heading a.b-c@0!'],
    ['a, b\n|', ''],
    ['---\n|', ''],
    ['2 +\n|', ''],
    ['x = 1\nQ\n|', 'heading Q@6! q'],
  ]);
});

describe('no name', () => {
  it('begins no statement', () => assert.deepEqual(nameBefore('[[1]]', 0), { how: 'none', startsStatement: false }));
});

describe('a name on the line', () => {
  test([
    ['Q |', 'inline Q@0! q'],
    ['Q|', ''],
    ['foo |', ''],
    ['see Q |', ''],
    ['> Q |', 'inline Q@2! q'],
    ['let K |', 'inline K@4! k'],
    ['x₂ |', 'inline x₂@0! xi2'],
    ['( |', ''],
  ]);
});

describe('an operator before a literal', () => {
  for (const sign of '*/+-@%×·^−') it(sign, () => assert.equal(found(`2 ${sign} |`), `op ${sign}@2`));
  test([
    ['Q = 2 *|', 'op *@6'],
    ['* |', ''],
    ['  - |', ''],
    ['x\n+ |', ''],
    ['a\n b * |', 'op *@5'],
    ['2 & |', ''],
  ]);
});

describe('how far back a name is looked for', () => {
  const line = `${x(300)}\n`;
  test([
    // 200 characters: the sign, the whole name, and the start of its line, without which it begins no statement.
    [`${line}Q =${blank(196)}|`, 'assigned Q@301! q'],
    [`${line}Q =${blank(197)}|`, 'assigned Q@301 q'],
    [`${line}Q =${blank(198)}|`, ''],
    [`${line}Q=${blank(198)}|`, 'assigned Q@301 q'],
    [`${line}Q=${blank(199)}|`, ''],
    [`${line}Q=${blank(200)}|`, ''],
    [`Q =${blank(197)}|`, 'assigned Q@0! q'],
    [`Q:${blank(198)}|`, 'labelled Q@0! q'],
    [`${line}Q:${blank(197)}|`, 'labelled Q@301! q'],
    [`${line}Q:${blank(198)}|`, ''],
    [`${line}Q\n${blank(197)}|`, 'heading Q@301! q'],
    [`${line}Q\n${blank(198)}|`, ''],
    [`${line}Q${blank(198)}|`, 'inline Q@301! q'],
    [`${line}Q${blank(199)}|`, ''],
    [`${line}"Q":${blank(196)}|`, ''],
    [`${line}"Q":${blank(195)}|`, 'labelled Q@302! q'],
    [`${line}('q',${blank(195)}|`, 'labelled q@303 q'],
    [`${line}['${x(76)}q'] = |`, `assigned ${x(76)}q@303`],
    [`${line}['${x(77)}q'] = |`, ''],
    [`${line}K: ${x(194)}[]=|`, 'assigned K@301 k'],
    [`${line}K: ${x(195)}[]=|`, ''],
    [`${line}K: ${x(196)}=|`, 'assigned K@301 k'],
    [`${line}2${blank(190)}*|`, 'op *@492'],
  ]);

  it('is what the words begin with', () => {
    const word = (text: string, floor: number): string => {
      const range = wordBefore(text, text.length, floor);
      return range ? `${range.start} ${range.end}` : '';
    };
    assert.deepEqual(
      [word('a.b', 0), word('a.b', 1), word('a.b', 3), word('1a', 0), word('12', 0), word('.a', 0), word('a.', 0), word('a b', 0), word('', 0), word('x₁', 0), word('₁', 0)],
      ['0 3', '2 3', '', '1 2', '', '1 2', '0 2', '2 3', '', '0 2', ''],
    ); // prettier-ignore
  });
});
