import assert from 'node:assert/strict';
import fc from 'fast-check';
import { hintAt } from '../../../extension/lesson-authoring/hints';
import { completionsAt } from '../../../extension/lesson-authoring/completions';
import { scriptsIn } from '../../../extension/lesson-authoring/scripts';
import { questionKinds, readLesson } from '../../../engine/index';
import { asking, fenced, small } from '../../engine/lessons-support';

const t = (text: string, ...values: readonly (string | number)[]): string =>
  text.replace(/\{(\d+)\}/g, (_, i: string) => String(values[Number(i)]));

/** The text without its mark ‸, and where it stood. */
function cut(marked: string): [text: string, at: number] {
  const at = marked.indexOf('‸');
  assert.ok(at >= 0);
  return [marked.replace('‸', ''), at];
}
const block = fenced('attention id=a mask=causal', small);
const asked = (body: string): string => `# T\n\n${block}\n${fenced('attention-question', body)}`;
const labels = (marked: string): string[] | undefined => completionsAt(...cut(marked), t)?.offers.map((o) => o.label);
const hint = (marked: string): string => {
  const found = hintAt(...cut(marked), t);
  return found ? [found.title, ...found.lines].join('\n') : '';
};

describe('completion in a lesson', () => {
  it('offers the kinds of questions', () => {
    assert.deepEqual(labels(asked('{ "kind": "‸" }')), questionKinds);
    assert.deepEqual(labels(asked('{ "kind": ‸')), questionKinds);
  });

  it('offers the fields of the kind that are not written, required ones marked', () => {
    const found = completionsAt(...cut(asked('{ "kind": "number", "prompt": "?", ‸ }')), t);
    assert.deepEqual(found?.offers.map((o) => o.label).sort(), ['about', 'digits', 'explanation', 'hints', 'id', 'of', 'or', 'points', 'tolerance']);
    assert.deepEqual(found?.offers.filter((o) => o.first).map((o) => o.label), ['of']);
    assert.equal(found?.offers.find((o) => o.label === 'of')?.insert, '"of": { $1 }');
    assert.match(found?.offers.find((o) => o.label === 'digits')?.documentation ?? '', /after the point/);
  }); // prettier-ignore

  it('offers the fields of the kind in another way to ask, but what is fixed', () => {
    const found = labels(asked('{ "kind": "number", "prompt": "?", "or": [{ ‸ }] }'));
    assert.deepEqual([...(found ?? [])].sort(), [
      'about',
      'digits',
      'explanation',
      'hints',
      'of',
      'prompt',
      'tolerance',
    ]);
  });

  it('knows the kind when it stands after the cursor', () => {
    assert.deepEqual(labels(asked('{ ‸, "prompt": "?", "kind": "shape" }'))?.includes('step'), true);
    assert.deepEqual(labels(asked('{ ‸, "prompt": "?", "kind": "shape" }'))?.includes('options'), false);
  });

  it('offers the steps of the block that is meant, with their shapes', () => {
    const found = completionsAt(...cut(asked('{ "kind": "shape", "prompt": "?", "step": "‸" }')), t);
    assert.deepEqual(found?.offers.map((o) => o.label), ['q', 'k', 'v', 'scores', 'scaled', 'mask', 'masked', 'weights', 'output']);
    assert.equal(found?.offers.find((o) => o.label === 'v')?.detail, 'Value 3×2');
    const other = `${fenced('attention id=b', '[[1, 2]]')}${asked('{ "kind": "shape", "prompt": "?", "about": "b", "step": "‸" }')}`;
    assert.equal(labels(other)?.includes('mask'), false);
    assert.ok(labels(other)?.includes('x'));
  }); // prettier-ignore

  it('offers what a quantity takes, claims and their fields, ids of blocks and booleans', () => {
    assert.ok(labels(asked('{ "kind": "number", "of": { "step": "weights", "take": "‸" } }'))?.includes('gradient'));
    const claim = (rest: string): string => asked(`{ "kind": "choose", "prompt": "?", "options": [{ "text": "x", "claim": ${rest}`);
    assert.deepEqual(labels(claim('{ "is": "‸" }')), ['equal', 'less', 'more', 'shape', 'shows', 'property', 'product', 'assigned']);
    assert.deepEqual(labels(claim('{ "is": "property", ‸'))?.sort(), ['about', 'holds', 'property']);
    assert.deepEqual(labels(claim('{ "is": "property", "property": "ca‸')), ['rows-sum-to-1', 'scores-symmetric', 'weights-symmetric', 'causal', 'permutation-equivariant']);
    assert.deepEqual(labels(claim('{ "is": "property", "holds": ‸')), ['true', 'false']);
    assert.deepEqual(labels(asked('{ "about": "‸" }')), ['a']);
  }); // prettier-ignore

  it('offers words of the opening line, and what each takes', () => {
    const line = (words: string): string => `${block}${fenced(`attention ${words}`, '')}`;
    assert.ok(['id=', 'from=', 'vary=', 'mask=', 'heads='].every((w) => labels(line('‸'))?.includes(w)));
    assert.deepEqual(labels(line('from=‸')), ['a']);
    assert.deepEqual(labels(line('vary=‸')), ['no', 'yes']);
    assert.ok(labels(line('mask=‸'))?.includes('causal'));
    assert.ok(labels(line('from=a step=‸'))?.includes('weights'));
  });

  it('offers fields of a spec', () => {
    assert.ok(labels(fenced('attention', '{ "‸" }'))?.includes('outputProjection'));
    assert.deepEqual(labels(fenced('attention', '{ "start": { "from": "scores", ‸ } }'))?.sort(), [
      'dK',
      'scores',
      'v',
    ]);
    assert.deepEqual(labels(fenced('attention', '{ "dtype": "‸" }')), ['float64', 'float32', 'float16', 'bfloat16']);
  });

  it('keeps to its blocks', () => {
    for (const source of ['{ "kind": "‸" }', '```json\n{ "‸" }\n```\n', `${block}‸`, `${block}\n- "‸"\n`])
      assert.equal(labels(source), undefined, source);
  });
});

describe('hover in a lesson', () => {
  const question = asked(
    '{ "kind": "number", "prompt": "?", "of": { "step": "scores", "cell": [1, 2] }, "digits": 2 }',
  );

  it('has the computed answer of a question and its arithmetic', () => {
    // 0·0 + 2·(−1)
    for (const marked of [question.replace('"prompt"', '"pro‸mpt"'), question.replace('-question', '-quest‸ion')])
      assert.match(hint(marked), /^Answer of q1\n−2 ± 0\.01\n.*2·−1/);
  });

  it('has the answer of each way to ask a question, where that is written', () => {
    // q_0·k_1 = 1·3 + 0·0 and q_2·k_1 = 1·3 + 1·0, q_1·k_0 = 0·1 + 2·1.
    const ways = asked(
      '{ "kind": "number", "prompt": "?", "of": { "step": "scores", "cell": [0, 1] }, "or": [{ "hints": ["h"], "prompt": "a" }, { "pro‸mpt": "b", "of": { "step": "scores", "cell": [1, 0] } }] }',
    );
    assert.match(hint(ways), /^Answer of q1\n2 ± /);
    assert.match(hint(ways.replace('‸', '').replace('"prompt": "a"', '"pro‸mpt": "a"')), /^Answer of q1\n3 ± /);
  });

  it('has a step’s shape, and what a field means', () => {
    assert.match(hint(question.replace('"scores"', '"sco‸res"')), /^scores 3×3\n/);
    assert.match(hint(question.replace('"digits"', '"dig‸its"')), /^digits\nDigits after the point/);
    assert.match(hint(question.replace('"cell"', '"ce‸ll"')), /^cell\n\[row, column\]/);
    assert.match(hint(question.replace('mask=', 'ma‸sk=')), /^mask\nWhich keys/);
    assert.match(hint(fenced('attention step=sco‸res', small)), /^scores 3×3/);
  });

  it('says nothing where nothing is to say', () => {
    assert.equal(hint(question.replace('"?"', '"?‸"')), '');
    assert.equal(hint(question.replace('# T', '# ‸T')), '');
  });
});

describe('help in a lesson', () => {
  it('never fails, wherever the cursor is and whatever is half written', () => {
    const source = `${asking({ kind: 'choose', prompt: 'p', options: [{ text: 'a', claim: { is: 'shape', step: 'v', shape: [1] } }] })}${block}`;
    const piece = fc.constantFrom('"', '{', '}', '[', ']', ',', ':', '\n', '```', '\\', 'kind', '__proto__', '"about"', '');
    fc.assert(
      fc.property(fc.nat(source.length), fc.nat(source.length), piece, fc.nat(9), (at, where, put, gone) => {
        const text = source.slice(0, where) + put + source.slice(where + gone);
        for (const offer of completionsAt(text, at, t)?.offers ?? []) assert.ok(offer.label.length > 0);
        hintAt(text, at, t);
      }),
      { numRuns: 1000 },
    );
  }).timeout(60_000); // prettier-ignore

  it('names HTML that would run, at its place', () => {
    const source = `# T\n\n<script>x</script>\n\n<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1))\n\n<b>bold</b>\n`;
    const found = scriptsIn(readLesson(source).lesson, t).map((p) => source.slice(p.range?.start, p.range?.end));
    assert.deepEqual(found, ['<script', '<img src=x onerror=', '](javascript:']);
  });
});
