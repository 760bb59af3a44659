import assert from 'node:assert/strict';
import { isComplete, addInput, type CollectedInput, type InputName } from '../../../extension/hover/collected';
import { planOf, specFromText } from '../../../engine/index';

const input = (name: InputName, ...shape: number[]): CollectedInput => {
  const rows = (sizes: readonly number[]): unknown =>
    sizes.length === 0 ? 1 : Array.from({ length: sizes[0] ?? 0 }, () => rows(sizes.slice(1)));
  return { name, shape, code: `${name} = ${JSON.stringify(rows(shape))}`, from: 'a.py:1' };
};

/** What VS Code does with them: the text of all is read and planned. */
function goes(inputs: readonly CollectedInput[]): Promise<boolean> {
  const read = specFromText(inputs.map(({ code }) => code).join('\n\n'));
  return Promise.resolve(read.ok && planOf(read.value.spec).ok);
}

const said = (inputs: readonly CollectedInput[]): string =>
  inputs.map(({ name, shape }) => `${name} ${shape.join('×')}`).join(', ');

/** `kept | left out` */
async function after(before: readonly CollectedInput[], next: CollectedInput): Promise<string> {
  const { inputs, dropped } = await addInput(before, next, goes);
  return `${said(inputs)} | ${said(dropped)}`;
}

const walk = [input('Q', 3, 2), input('K', 4, 2), input('V', 4, 5), input('mask', 3, 4)];

describe('a new input beside those that are collected', () => {
  it('leaves out a mask of another size', async () => {
    const masked = [input('X', 3, 2), input('mask', 3, 3)];
    assert.equal(await after(masked, input('X', 3, 7)), 'X 3×7, mask 3×3 | ');
    assert.equal(await after(masked, input('X', 4, 2)), 'X 4×2 | mask 3×3');
    assert.equal(await after(walk, input('Q', 6, 2)), 'Q 6×2, K 4×2, V 4×5 | mask 3×4');
    assert.equal(await after([input('X', 2, 3, 2), input('mask', 2, 3)], input('X', 2, 5, 2)), 'X 2×5×2 | mask 2×3');
    assert.equal(await after([input('X', 2, 3, 2), input('mask', 3, 3)], input('X', 3, 2)), 'X 3×2, mask 3×3 | ');
  });

  it('leaves out values that have no keys, and keys of another width', async () => {
    assert.equal(await after(walk, input('K', 6, 2)), 'Q 3×2, K 6×2 | V 4×5, mask 3×4');
    assert.equal(await after(walk.slice(0, 3), input('K', 6, 2)), 'Q 3×2, K 6×2 | V 4×5');
    assert.equal(await after(walk, input('Q', 3, 8)), 'Q 3×8 | K 4×2, V 4×5, mask 3×4');
    assert.equal(await after(walk, input('K', 4, 8)), 'K 4×8, V 4×5 | Q 3×2, mask 3×4');
    assert.equal(await after(walk, input('K', 6, 8)), 'K 6×8 | Q 3×2, V 4×5, mask 3×4');
  });

  it('leaves out as little as will do', async () => {
    assert.equal(await after(walk, input('Q', 3, 2)), `${said(walk)} | `);
    assert.equal(await after(walk, input('K', 4, 2)), `${said(walk)} | `);
  });

  it('that is X leaves out queries, keys and values, and one of these X', async () => {
    assert.equal(await after(walk, input('X', 3, 2)), 'X 3×2 | Q 3×2, K 4×2, V 4×5, mask 3×4');
    assert.equal(await after([input('X', 3, 2)], input('K', 4, 2)), 'K 4×2 | X 3×2');
  });

  it('that is V or a mask leaves out nothing: the plan says what is wrong with it', async () => {
    assert.equal(await after(walk.slice(0, 2), input('V', 6, 5)), 'Q 3×2, K 4×2, V 6×5 | ');
    assert.equal(await after([input('X', 3, 2)], input('mask', 4, 4)), 'X 3×2, mask 4×4 | ');
  });

  it('is waited for as long as there is nothing to explain', async () => {
    assert.equal(await after([input('mask', 3, 4)], input('Q', 9, 2)), 'Q 9×2, mask 3×4 | ');
  });

  it('keeps all where leaving out helps nothing', async () => {
    const never = (): Promise<boolean> => Promise.resolve(false);
    const { inputs, dropped } = await addInput([input('X', 3, 2), input('mask', 3, 3)], input('X', 4, 2), never);
    assert.equal(`${said(inputs)} | ${said(dropped)}`, 'X 4×2, mask 3×3 | ');
  });

  it('is explained whenever an X, a Q or a K comes, whatever was collected before', async () => {
    const sizes = [2, 3];
    const all = (name: InputName): (CollectedInput | undefined)[] => [undefined, ...sizes.flatMap((n) => sizes.map((d) => input(name, n, d)))]; // prettier-ignore
    let complete = 0;
    for (const q of all('Q'))
      for (const k of all('K'))
        for (const mask of all('mask'))
          for (const next of [input('X', 3, 2), input('Q', 3, 2), input('K', 2, 3)]) {
            const before = [q, k, input('V', 3, 2), mask].filter((one) => one !== undefined);
            if (isComplete(before) && !(await goes(before))) continue;
            const { inputs } = await addInput(before, next, goes);
            assert.ok(inputs.includes(next), `${said(before)} and ${said([next])}: ${said(inputs)}`);
            if (!isComplete(inputs)) continue;
            complete++;
            assert.equal(await goes(inputs), true, `${said(before)} and ${said([next])}: ${said(inputs)}`);
          }
    assert.equal(complete > 50, true, `${complete} complete`);
  });
});
