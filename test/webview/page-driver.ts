// What a person does in the page, and what the page then says.
import assert from 'node:assert/strict';
import type { SpecNumber } from '../../engine/index';
import { decodeNumber } from '../../engine/index';
import type { OpenPage } from './harness';
import type { Steps } from './inputs';

/** Goes to a step by its button in the timeline. */
export async function goTo({ page, ready }: OpenPage, step: string): Promise<void> {
  await page.locator(`.timeline [data-step="${step}"]`).click();
  await page.locator(`.stage[data-current-step="${step}"]`).waitFor();
  await ready();
}

export const currentStep = ({ page }: OpenPage): Promise<string | null> =>
  page.locator('.stage').getAttribute('data-current-step');

/** Every cell of a matrix that is drawn in the current step, in full precision, in the matrix's own rows and columns. */
export async function cells({ page }: OpenPage, matrix: string): Promise<number[][]> {
  const found = await page
    .locator(`.picture-layer [role=grid][data-matrix="${matrix}"] [data-value]`)
    .evaluateAll((nodes) =>
      nodes.map((node) => ['data-row', 'data-column', 'data-value'].map((name) => Number(node.getAttribute(name)))),
    );
  const rows: number[][] = [];
  for (const [row = 0, column = 0, value = NaN] of found) (rows[row] ??= [])[column] = value;
  return rows;
}

/** One cell of the current step's result. */
export async function cell(open: OpenPage, matrix: string, row: number, column: number): Promise<number> {
  const value = (await cells(open, matrix))[row]?.[column];
  assert.ok(value !== undefined, `${matrix} has no cell ${row},${column} in the page`);
  return value;
}

/** `default-export`-like fixtures: values that NumPy printed, to the last digits that summation order leaves alone. */
export function assertMatrix(
  actual: readonly (readonly number[])[],
  expected: readonly (readonly SpecNumber[])[],
  what: string,
): void {
  assert.deepEqual(
    actual.map((row) => row.length),
    expected.map((row) => row.length),
    `shape of ${what}`,
  );
  expected.forEach((row, i) =>
    row.forEach((number, j) => {
      const [is, wanted] = [actual[i]?.[j] ?? NaN, decodeNumber(number)];
      const close = is === wanted || Math.abs(is - wanted) <= 1e-12 * Math.max(1, Math.abs(wanted));
      assert.ok(close, `${what}[${i},${j}] is ${is}, NumPy has ${wanted}`);
    }),
  );
}

/** Walks through the steps of a fixture and compares every cell of each. Returns how many were compared. */
export async function assertSteps(open: OpenPage, expected: Steps): Promise<number> {
  let compared = 0;
  for (const [id, rows] of Object.entries(expected)) {
    await goTo(open, id);
    assertMatrix(await cells(open, id), rows, id);
    compared += rows.length * (rows[0]?.length ?? 0);
  }
  return compared;
}

const toggle = '.header-actions vscode-button[aria-expanded]';

export async function openControls({ page }: OpenPage): Promise<void> {
  if (!(await page.locator('#controls').isVisible())) await page.locator(toggle).click();
  await page.locator('#controls').waitFor();
  // Playwright clicks what is in sight: each group is unfolded as a reader would.
  const folded = page.locator('#controls details.group:not([open]) > summary');
  for (let left = await folded.count(); left > 0; left--) await folded.first().click();
  await folded.first().waitFor({ state: 'detached' });
}

/** Opens a dropdown and clicks the choice, as a person would. */
export async function choose(open: OpenPage, control: string, text: string): Promise<void> {
  const { page } = open;
  await openControls(open);
  const field = page.locator(`[data-control="${control}"]`);
  await field.click();
  await field.locator('vscode-option', { hasText: text }).filter({ visible: true }).first().click();
  await open.ready();
}

/** Types into a field and leaves it with Enter. */
export async function type(open: OpenPage, control: string, text: string): Promise<void> {
  await openControls(open);
  const field = open.page.locator(`[data-control="${control}"] input`);
  await field.fill(text);
  await field.press('Enter');
  await open.ready();
}

export const problemAt = async ({ page }: OpenPage, control: string): Promise<string> =>
  (await page.locator(`[data-problem="${control}"]`).allTextContents()).join('\n');
