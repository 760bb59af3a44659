import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { root } from '../../host/paths';
import { openVSCode, type Session } from '../../host/session';
import {
  between,
  examplesFolder,
  explainSelection,
  goToStep,
  hasTokens,
  readAllSteps,
  readMatrix,
  readyPanel,
  reloaded,
  setControl,
  soon,
} from './panel';

/** Figures as a tutorial prints them, compared in the digits it prints. */
function assertPrinted(actual: readonly number[] | undefined, printed: readonly string[]): void {
  assert.ok(actual);
  printed.forEach((text, j) => {
    const digits = text.split('.')[1]?.length ?? 0;
    assert.equal(actual[j]?.toFixed(digits), text, `column ${j}`);
  });
}

/** Waits until a row of a step has these figures. */
const shows = (frame: Frame, step: string, row: number, printed: readonly string[]): Promise<void> =>
  soon(async () => assertPrinted((await readMatrix(frame, step))[row], printed));

type Partials = Record<string, number[][]>;
const theCat = JSON.parse(readFileSync(join(root, 'test/fixtures/attention/the-cat.json'), 'utf8')) as {
  default: Partials;
  causal: Partials;
};

/** Every partial that NumPy gave stands in the page, to 1e-12 of the largest number of its matrix. */
function assertPartials(shown: ReadonlyMap<string, number[][]>, expected: Partials): void {
  for (const [step, rows] of Object.entries(expected)) {
    const found = shown.get(step);
    assert.ok(found, `the page shows ${step}; it shows ${[...shown.keys()].join(', ')}`);
    const size = Math.max(...rows.flat().map(Math.abs));
    rows.forEach((row, i) =>
      row.forEach((x, j) => {
        const y = found[i]?.[j] ?? NaN;
        assert.ok(Math.abs(y - x) <= 1e-12 * size, `${step}[${i},${j}] is ${y}, NumPy gives ${x}`);
      }),
    );
  }
}

describe('the main job in a real VS Code', function () {
  this.timeout(400_000);
  let vscode: Session;

  before(async () => {
    vscode = await openVSCode({ extensionDevelopmentPath: root, folder: examplesFolder(), width: 1600, height: 1000 });
  });
  after(() => vscode.close());

  it('explains 004 from the palette: x_1 … x_4, W_q, W_k, W_v give the printed weights and y_2', async () => {
    const frame = await explainSelection(vscode, '5-column-vectors.py', 'x_1 =', '0.1120782],\n], dtype=np.float32)');
    await setControl(frame, 'scale', 'none');
    await setControl(frame, 'dtype', 'float32');
    await soon(async () => {
      const convention = frame.locator('[data-control="convention"]');
      assert.equal(await convention.evaluate((e) => (e as HTMLSelectElement).value), 'XWT');
    });
    await goToStep(frame, 'weights');
    await shows(frame, 'weights', 1, ['0.00466374', '0.5462668', '0.0000032', '0.4490663']);
    await goToStep(frame, 'output');
    await shows(frame, 'output', 1, ['0.11782318', '0.39491105', '-2.4440105', '0.5687822']);
  });

  it('shows another result with X·W, and the old one again after undo', async () => {
    const frame = await readyPanel(vscode);
    await setControl(frame, 'convention', 'XW');
    await goToStep(frame, 'output');
    await soon(async () => assert.notEqual((await readMatrix(frame, 'output'))[1]?.[0]?.toFixed(3), '0.118'));
    await setControl(frame, 'convention', 'XWT');
    await shows(frame, 'output', 1, ['0.11782318']);
  });

  it('explains 001: Q and K, scaled and masked, give the printed softmax', async () => {
    const frame = await explainSelection(vscode, '1-the-cat-sat.py', 'Q =', '0.7531194],\n])');
    await setControl(frame, 'mask', 'causal');
    await goToStep(frame, 'weights');
    await shows(frame, 'weights', 0, ['1', '0', '0', '0']);
    await shows(frame, 'weights', 1, ['0.52712553', '0.47287447', '0', '0']);
    await shows(frame, 'weights', 2, ['0.39228590', '0.49747004', '0.11024406', '0']);
    await shows(frame, 'weights', 3, ['0.50691084', '0.15507701', '0.19935514', '0.13865700']);
  });

  let text: Frame;
  it('explains “The cat sat on the mat” as text: 6 tokens, every partial as NumPy gives it from seed 0', async () => {
    text = await explainSelection(vscode, '1-the-cat-sat.md', 'The cat sat on the mat', 'mat');
    await hasTokens(text, 6);
    await soon(async () => assertPartials(await readAllSteps(text), theCat.default));
    await setControl(text, 'mask', 'causal');
    await soon(async () => assertPartials(await readAllSteps(text), theCat.causal));
    await setControl(text, 'mask', 'none');
  });

  it('shows the arithmetic of a clicked cell', async () => {
    await goToStep(text, 'scores');
    await text.locator('[data-matrix="scores"] [data-row="1"][data-column="2"]').first().click();
    const inspector = text.locator('.inspector');
    await inspector.getByText('Σ').first().waitFor();
    const expected = theCat.default['scores']?.[1]?.[2] ?? NaN;
    await soon(async () => {
      const words = (await inspector.innerText()).replaceAll('−', '-');
      assert.ok(words.includes(expected.toFixed(4)), `${words} has ${expected.toFixed(4)}`);
    });
  });

  it('keeps the explanation, names the place and the cause, when the next selection is ragged', async () => {
    const path = join(vscode.folder, 'bad-input.py');
    await vscode.openFile(path);
    await vscode.selectText(...between(path, 'ragged = [', '\n]'));
    await vscode.runCommand('Explain Attention');
    await vscode.page
      .locator('.notification-toast')
      .filter({ hasText: /row 3 has 2 numbers/ })
      .first()
      .waitFor();
    const frame = await readyPanel(vscode);
    await hasTokens(frame, 6);
    await frame
      .locator('[data-problem]')
      .filter({ hasText: /row 3 has 2 numbers/ })
      .first()
      .waitFor();
  });

  it('survives a reload of the window', async () => {
    const frame = await reloaded(vscode, () => readyPanel(vscode));
    await hasTokens(frame, 6);
    await goToStep(frame, 'output');
    const output = theCat.default['output'] ?? [];
    await soon(async () => assertPartials(new Map([['output', await readMatrix(frame, 'output')]]), { output }));
  });

  it('broke no content policy and made no request', () => {
    assert.deepEqual(vscode.cspViolations(), []);
    assert.deepEqual(vscode.foreignRequests(), []);
  });
});
