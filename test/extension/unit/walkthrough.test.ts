// The walkthrough's parts are there: its pictures, its words, and the commands that it runs or waits for.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');
const json = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface Step {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly media: { readonly svg?: string; readonly altText?: string; readonly markdown?: string };
  readonly completionEvents: readonly string[];
}
interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
    readonly grammars: readonly { readonly path: string }[];
  };
}

const { contributes } = json('package.json') as Manifest;
const words = json('package.nls.json') as Readonly<Record<string, string>>;
const said = (text: string): string => {
  const found = words[text.replace(/^%|%$/g, '')];
  assert.ok(found, text);
  return found;
};
const steps = contributes.walkthroughs.flatMap((w) => w.steps);
const commands = new Set([...contributes.commands.map((c) => c.command), 'editor.action.showHover']);
const ignore = readFileSync(join(root, '.vscodeignore'), 'utf8');

/** What a line of .vscodeignore lets through. */
const ships = (path: string): boolean =>
  ignore.split('\n').some((line) => {
    const pattern = line.slice(1).replace(/[.]/g, '\\.').replace(/\*\*/g, '§').replace(/\*/g, '[^/]*').replace(/§/g, '.*');
    return line.startsWith('!') && new RegExp(`^${pattern}$`).test(path);
  }); // prettier-ignore

describe('the walkthrough', () => {
  it('has five steps or six', () => {
    assert.ok(steps.length >= 5 && steps.length <= 6);
  });

  for (const step of steps)
    it(`${step.id}: its media ship, its commands exist, and one of them completes it`, () => {
      const path = step.media.svg ?? step.media.markdown ?? '';
      assert.ok(existsSync(join(root, path)) && ships(path), path);
      if (step.media.svg) assert.ok(said(step.media.altText ?? '').length > 10);
      said(step.title);
      const linked = [...said(step.description).matchAll(/\(command:([\w.]+)\)/g)].map((m) => m[1] ?? '');
      assert.equal(linked.length, 1);
      for (const command of linked) {
        assert.ok(commands.has(command), command);
        assert.ok(step.completionEvents.includes(`onCommand:${command}`));
      }
      for (const event of step.completionEvents) assert.ok(commands.has(event.replace('onCommand:', '')), event);
    });

  it('has pictures that load nothing and follow the theme', () => {
    for (const { media } of steps) {
      if (!media.svg) continue;
      const svg = readFileSync(join(root, media.svg), 'utf8').replace('http://www.w3.org/2000/svg', '');
      assert.ok(!/https?:|<script|<image|<foreignObject|\bon\w+=/.test(svg), media.svg);
      assert.match(svg, /var\(--vscode-/);
    }
  });
});

describe('the package', () => {
  it('has the lessons, their schemas and the grammar', () => {
    for (const path of ['extension/lessons/01-why-attention.md', 'extension/lessons/README.md', 'extension/schemas/lesson-question.schema.json'])
      assert.ok(existsSync(join(root, path)) && ships(path), path);
    for (const { path } of contributes.grammars) assert.ok(ships(path.replace('./', '')), path);
  }); // prettier-ignore
});
