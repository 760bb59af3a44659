// The state of a heatmap is one object, and each of its fields has one file that writes it: to know how a field changes, one file is enough.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelAt, shortLabel } from '../../webview/trace/labels';

const folder = join(__dirname, '../../webview/heatmap');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Fields that may be assigned, from the interfaces that make up `State`. */
function mutableFields(): readonly string[] {
  const parts = [...read('state.ts').matchAll(/^export interface (\w+)[^{]*\{([^]*?)^\}/gm)];
  const state = parts.find(([, name]) => name === 'State')?.[0] ?? '';
  const named = [...state.matchAll(/\b(?:Fixed|Appearance|Layout|Loaded|Interaction|State)\b/g)].map(([name]) => name);
  return parts
    .filter(([, name = '']) => named.includes(name))
    .flatMap(([, , body = '']) => [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field = '']) => field));
}

describe('the state of a heatmap', () => {
  it('tells words that stand twice apart by their places, in a long text all', () => {
    const words = ['the', 'cat', 'saw', 'the', '', ''];
    const said = words.map((_, i) => [labelAt(words, i), shortLabel(words, i)]);
    assert.deepEqual(said, [['the (0)', 'the (0)'], ['cat', 'cat'], ['saw', 'saw'], ['the (3)', 'the (3)'], ['', ''], ['', '']]);
    const long = Array.from({ length: 41 }, (_, i) => (i === 7 ? 'cat' : String(i)));
    assert.deepEqual([labelAt(long, 7), shortLabel(long, 7), labelAt(long, 8)], ['cat (7)', '7 cat', '8']);
  }); // prettier-ignore

  it('has one file that writes each field, and two for the focus', () => {
    const fields = mutableFields();
    assert.ok(fields.length > 20, fields.join(' '));
    const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
    const writers = (field: string): string[] =>
      files.filter((name) => new RegExp(`\\bstate\\.${field} (?:\\?\\?|[+*-])?= `).test(read(name)));
    const shared = fields.map((field) => [field, writers(field)] as const).filter(([, by]) => by.length !== 1);
    assert.deepEqual(shared, [['focus', ['grid.ts', 'heatmap.ts']]]);
  });
});
