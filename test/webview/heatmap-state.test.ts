// The state of a heatmap is one object, and each of its fields has one file that writes it: to know how a field changes, one file is enough.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
