// Ways through code that no run took: which switches open them, and which conditions are switches.
import assert from 'node:assert/strict';
import {
  forcedBy,
  isRead,
  isSwitched,
  unreadBranches,
  withMakers,
  type Setting,
  type Settings,
} from '../../engine/program/samples/branches';
import { readProgram, textOf, type Source, type tree } from '../../engine/program/syntax';
import { finish } from '../../engine/text/pace';

interface Body {
  readonly source: Source;
  readonly body: readonly tree.Statement[];
}

function read(...lines: readonly string[]): Body {
  const [unit] = finish(readProgram(`def f(x):\n${lines.map((line) => `    ${line}`).join('\n')}\n`)).units;
  const [definition] = unit?.body ?? [];
  assert.ok(unit && definition?.nodeType === 'FunctionDef');
  return { source: unit.source, body: definition.body };
}

const settingsText = (settings: Settings): string =>
  [...settings].map(([name, to]) => `${name}:${settingText(to)}`).join(' ');

/** `'dot'`, `not dot cos`, `2`, `given`. */
function settingText(to: Setting): string {
  if (typeof to !== 'object') return String(to);
  return 'text' in to ? `'${to.text}'` : 'number' in to ? String(to.number) : `not ${to.not.join(' ')}`;
}

/** `mask:given → y = 1`: the ways where only these names were seen. */
function ways({ source, body }: Body, ...seen: readonly string[]): readonly string[] {
  const isSeen = (node: object): boolean => {
    const first = 'left' in node ? node.left : 'elts' in node ? (node.elts as readonly object[])[0] : node;
    return seen.includes((first as { id: string }).id);
  };
  return unreadBranches(body, isSeen).map(({ settings, body: [first] }) => {
    assert.ok(first);
    return `${settingsText(settings)} → ${textOf(source, first).split('\n')[0] ?? ''}`;
  });
}

/** The switches for a condition to hold, and for it not to. */
const opens = (test: string): readonly string[] =>
  ['', 'else:'].map((side) => ways(read(`if ${test}:`, ...(side ? ['    pass', side] : []), '    y = x + 1'))[0] ?? '');

describe('ways that only switches open', () => {
  it('are told by conditions on names', () => {
    const says = (test: string, holds: string, not: string): void =>
      assert.deepEqual(opens(test), [holds, not].map((one) => (one ? `${one} → y = x + 1` : '')), test); // prettier-ignore
    says('mask is not None', 'mask:given', 'mask:none');
    says('mask is None', 'mask:none', 'mask:given');
    says('mask == None', 'mask:none', 'mask:given');
    says('mask != None', 'mask:given', 'mask:none');
    says('self.config.causal', 'causal:true', 'causal:false');
    says('not causal', 'causal:false', 'causal:true');
    says('causal == True', 'causal:true', 'causal:false');
    says('causal is False', 'causal:false', 'causal:true');
    // Another word than this.
    says("kind == 'dot'", "kind:'dot'", 'kind:not dot');
    says("kind != 'dot'", 'kind:not dot', "kind:'dot'");
    const chain = read(
      "if kind == 'dot':",
      '    s = seen',
      "elif kind == 'cos':",
      '    s = seen',
      'else:',
      '    y = x + 1',
    );
    assert.deepEqual(ways(chain, 'seen'), ['kind:not dot cos → y = x + 1']);
    assert.deepEqual(ways(read("if kind == 'cos':", '    s = seen', "    if kind != 'dot':", '        y = x + 1'), 'seen'), ["kind:'cos' → y = x + 1"]); // prettier-ignore
    // The nearest number on each side.
    says('n == 2', 'n:2', 'n:3');
    says('n != 2', 'n:3', 'n:2');
    says('n > 2', 'n:3', 'n:2');
    says('n >= 2', 'n:2', 'n:1');
    says('n < 2', 'n:1', 'n:2');
    says('n <= 2', 'n:2', 'n:3');
    // All parts of `and` have to hold; one that does not is enough.
    says('a and not b', 'a:true b:false', 'a:false');
    says('a or b', 'a:true', 'a:false b:false');
    says('f(n) or b', 'b:true', 'b:false');
    // No switches: comparisons in a row, calls.
    for (const test of ['f(n) > 2', 'a is b', 'a is None is b', 'isinstance(a, b)', '2 == 3']) says(test, '', '');
  });

  it('are those that compute something and were not seen', () => {
    const given = (...lines: string[]): Body => read('if a:', ...lines.map((line) => `    ${line}`));
    for (const line of ['y = x + 1', 'y += x', 'y: int = x', 'return x', 'return [x, 1]'])
      assert.equal(ways(given(line)).length, 1, line);
    for (const line of ['pass', "raise ValueError('no')", 'y = 1', "return 'none'", "y = f'{x}'", 'return', 'print(x)', 'def g(): return x', 'g(lambda z: z)']) assert.deepEqual(ways(given(line)), [], line); // prettier-ignore
    assert.deepEqual(ways(given('y = x + 1'), 'x'), []);
    assert.deepEqual(ways(given('z = 1', 'y = x + 1')), ['a:true → z = 1']);
  });

  it('go on behind a way that returns, within a way that was seen, and in loops', () => {
    assert.deepEqual(ways(read('if a:', '    return x', 'y = x + 1'), 'x'), []);
    assert.deepEqual(ways(read('if a:', '    return seen', 'y = x + 1', 'z = x'), 'seen'), ['a:false → y = x + 1']);
    assert.deepEqual(ways(read('if a:', "    raise ValueError('no')", 'y = x + 1')), ['a:false → y = x + 1']);
    assert.deepEqual(ways(read('if a:', '    if b:', '        return seen', '    else:', '        return seen', 'y = x + 1'), 'seen'), ['a:false → y = x + 1']); // prettier-ignore
    // What stands behind it is reached by what leads behind it.
    assert.deepEqual(ways(read('if a:', '    return seen', 's = seen', 'if b:', '    y = x + 1'), 'seen'), ['a:false b:true → y = x + 1']); // prettier-ignore
    // One way that goes on does not end the function; and where both ways end it nothing stands behind.
    assert.deepEqual(ways(read('if a:', '    if b:', '        return seen', 'y = x + 1'), 'seen'), []);
    assert.deepEqual(ways(read('if a:', '    return seen', 'else:', '    return seen', 'y = x + 1'), 'seen'), []);
    assert.deepEqual(ways(read('if a:', '    s = seen', '    if b:', '        y = x + 1'), 'seen'), ['a:true b:true → y = x + 1']);
    assert.deepEqual(ways(read('if a:', '    s = x', '    if b:', '        y = x + 1')), ['a:true → s = x']);
    assert.deepEqual(ways(read('for i in seen:', '    if a:', '        y = x + 1'), 'seen'), ['a:true → y = x + 1']);
    assert.deepEqual(ways(read('with seen:', '    if a:', '        y = x + 1'), 'seen'), ['a:true → y = x + 1']);
    // A function within has ways of its own, which no condition outside opens.
    assert.deepEqual(ways(read('if a:', '    s = seen', 'def g():', '    if b:', '        y = x + 1'), 'seen'), ['b:true → y = x + 1']);
    const { body } = read('def g():', '    y = x + 1');
    assert.equal(isRead(body, { isSeen: () => true }), false);
  }); // prettier-ignore

  it('force conditions on switches alone, wherever a definition asks for them', () => {
    const { source, body } = read("if a and kind == 'dot':", '    y = x', 'if not a:', '    y = x', 'if a and n > 2:', '    y = x', 'for i in x:', '    if c is None:', '        y = x', "if kind == 'dot' or c is None:", '    y = x'); // prettier-ignore
    const forced = (...settings: readonly (readonly [string, Setting])[]): readonly string[] =>
      [...forcedBy(body, new Map(settings))].map(([{ test }, way]) => `${textOf(source, test)}: ${String(way)}`); // prettier-ignore
    assert.deepEqual(forced(), []);
    assert.deepEqual(forced(['a', true]), ['not a: false']);
    assert.deepEqual(forced(['a', true], ['kind', { text: 'dot' }]), ["a and kind == 'dot': true", 'not a: false', "kind == 'dot' or c is None: true"]); // prettier-ignore
    assert.deepEqual(forced(['a', false]), ["a and kind == 'dot': false", 'not a: true', 'a and n > 2: false']);
    assert.deepEqual(forced(['c', 'none']), ['c is None: true']);
    assert.deepEqual(forced(['c', 'given']), ['c is None: false']);
    assert.deepEqual(forced(['kind', { text: 'other' }]), []);
    assert.deepEqual(forced(['kind', { text: 'other' }], ['c', 'given']), ['c is None: false', "kind == 'dot' or c is None: false"]); // prettier-ignore
    assert.deepEqual(forced(['n', { number: 3 }]), []);
  });

  it('tell a switch by its names: no number is compared, and nothing is called', () => {
    const is = (test: string, holds = true): boolean => {
      const [node] = read(`if ${test}:`, '    pass').body;
      assert.equal(node?.nodeType, 'If');
      return node?.nodeType === 'If' && isSwitched(node.test, holds);
    };
    for (const test of ['a', 'self.a', 'not a', 'a and self.b', 'a is None', "a == 'b'", 'a != True']) assert.ok(is(test), test); // prettier-ignore
    for (const test of ['a == 2', 'a > b', 'f(a)', 'a and n > 2', 'not f(a)', 'a is None is b', 'f(a) is None', 'a[0]', '1']) assert.ok(!is(test), test); // prettier-ignore
    // One part of `and` that is off is enough, one of `or` that is on; what is negated goes the other way.
    for (const [test, holds] of [['a and f()', false], ['a or f()', true], ['not (a and f())', true]] as const) assert.deepEqual([is(test, holds), is(test, !holds)], [true, false], test); // prettier-ignore
  });

  it('open what an attribute is made of, where its name is another than its switch', () => {
    const { body } = read('if add_bias:', '    self.b = x', 'else:', '    self.b = None', 'self.r = x if rel else None', 'self.n = None if plain else x', 'self.c = x'); // prettier-ignore
    const made = (name: string, to: 'given' | 'none'): string => settingsText(withMakers(body, new Map([[name, to]])));
    assert.equal(made('b', 'given'), 'add_bias:true b:given');
    assert.equal(made('b', 'none'), 'add_bias:false b:none');
    assert.equal(made('r', 'given'), 'rel:true r:given');
    assert.equal(made('n', 'given'), 'plain:false n:given');
    assert.equal(made('n', 'none'), 'plain:true n:none');
    for (const name of ['c', 'other']) assert.equal(made(name, 'given'), `${name}:given`);
  });
});
