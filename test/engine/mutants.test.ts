import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { kinds } from '../../engine/spec/spec';
import { builtIn, mutantsOf } from '../mutants/mutate';
import { rooms } from '../mutants/rooms';

// The tool of `npm run mutants`: what it changes, and that it changes nothing else.

const changes = (text: string): string[] => mutantsOf('a.ts', text).map(({ from, to }) => `${from} → ${to}`);

describe('mutants', () => {
  it('are small faults of expressions and statements', () => {
    assert.deepEqual(changes('const f = (a: number) => a < 2;'), ['a < 2 → a <= 2', 'a < 2 → undefined', '2 → (2 + 1)', '2 → (2 - 1)']); // prettier-ignore
    assert.deepEqual(changes('if (!a) b();'), ['!a → true', '!a → false', '!a → a']);
    assert.deepEqual(changes('x = a ?? b;'), ['a ?? b → (a) && (b)']);
    assert.deepEqual(changes('x = [a, b].slice(1, c);'), ['[a, b].slice(1, c) → [a, b].slice(1, (c) + 1)', '[a, b] → []', '1 → (1 + 1)', '1 → (1 - 1)']); // prettier-ignore
    assert.deepEqual(changes('x = Math.min(a, b);'), ['Math.min(a, b) → Math.max(a, b)']);
    assert.deepEqual(changes('function f() { g(); return a; }'), ['{ g(); return a; } → {}', 'return a; → (no return)']); // prettier-ignore
    assert.deepEqual(changes('while (true) i++;'), ['true → false', 'true → false', 'i++ → i--']);
  });

  it('are not made of types, imports, sentences that are only read, or guards against our own faults', () => {
    const none = [
      "import { a } from 'b';", 'type A = 1 | 2;', 'interface B { readonly c: 3 }', "x(t('{0} of {1}', a, b));", "y({ message: 'text' });", "throw new Error('x' + 1);",
      'if (a === 1) throw new Error();', 'let z: readonly [1, 2] | undefined;', '[a, b] = c;',
    ]; // prettier-ignore
    for (const text of none) assert.deepEqual(changes(text), [], text);
  });

  it('are built in so that one is on at a time, and none is the program as it was', () => {
    const text =
      'export function f(a: number, b: number): number { if (a < b && a > 0) { return a * 2 + b; } return -1; }';
    const mutants = mutantsOf('a.ts', text).map((mutant, id) => ({ ...mutant, id }));
    const { code } = transformSync(builtIn(text, mutants), { loader: 'ts', format: 'cjs' });
    const results = (on: number): string => {
      const module = { exports: {} as { f: (a: number, b: number) => number } };
      new Function('module', '$m', code)(module, (id: number) => id === on);
      return [[1, 1], [1, 2], [2, 1], [0, 5], [-1, 0], [1, 3]].map(([a = 0, b = 0]) => module.exports.f(a, b)).join(); // prettier-ignore
    };
    assert.equal(results(-1), '-1,4,-1,-1,-1,5');
    for (const { id, from, to } of mutants) assert.notEqual(results(id), results(-1), `${from} → ${to}`);
    assert.ok(mutants.length > 15);
  });

  it('leave a file without any as it is', () => {
    for (const file of ['engine/spec/kinds.ts', 'engine/plan/planner/attention.ts', 'engine/explain/cell.ts']) {
      const text = readFileSync(join(__dirname, '../..', file), 'utf8');
      assert.equal(builtIn(text, []), text, file);
      const all = mutantsOf(file, text).map((mutant, id) => ({ ...mutant, id }));
      assert.ok(all.length > 30);
      assert.ok(transformSync(builtIn(text, all), { loader: 'ts' }).code.length > text.length / 2, file);
    }
  });

  // A field that no test of a room sets has mutants that no test of it reaches, and the room's score is that of a list that is out of date.
  for (const name of ['planner', 'validate'])
    it(`are tried with tests that set every field of a spec, in ${name}`, () => {
      const files = readdirSync(join(__dirname), { encoding: 'utf8' })
        .filter((file) => file.endsWith('.test.ts') && rooms[name]?.tests.test(`engine/${file}`))
        .map((file) => readFileSync(join(__dirname, file), 'utf8'));
      // Set in a spec, or named in a path: a list of names does not try what a field does.
      const isSet = (field: string): boolean => files.some((text) => new RegExp(`\\b${field}: |\\b${field}\\.\\w`).test(text));
      const fields = Object.keys({ ...kinds.required, ...kinds.optional }).filter((field) => field !== 'version');
      assert.ok(fields.length > 30 && files.length > 15, `${fields.length} fields, ${files.length} tests`);
      assert.deepEqual(fields.filter((field) => !isSet(field)), []);
    }); // prettier-ignore
});
