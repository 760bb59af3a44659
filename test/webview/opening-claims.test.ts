// What is asked of a sentence: never more than its words allow. What each word is was judged by hand.
import assert from 'node:assert/strict';
import { plainText, planOf, runReference, type AttentionSpec } from '../../engine/index';
import { drawIn } from '../../webview/opening/focus';
import {
  bestIn,
  focusAt,
  kindWords,
  openingFocus,
  rowAtCursor,
  type HeadWeights,
} from '../../webview/opening/question';
import { agrees, canBeMeant } from '../../webview/opening/nouns';
import { boxOf, modelOf, textSpec } from '../engine/box-support';

describe('claims of the question', function () {
  this.timeout(60_000);

  /** Every head of words-1 on a text, as the page reads them. */
  async function headsOn(text: string): Promise<{ readonly heads: readonly HeadWeights[]; readonly words: readonly string[] }> {
    const model = await modelOf(boxOf('words-1'));
    const spec: AttentionSpec = await textSpec(boxOf('words-1'), text);
    const plan = planOf(spec);
    assert.ok(plan.ok);
    const trace = runReference(spec, plan.value);
    assert.ok(trace.ok);
    const heads = model.evidence.flatMap((evidence) => {
      const step = plan.value.steps.find(({ id }) => id === (evidence.layer === 1 ? 'weights' : 'layer1_weights'));
      if (!step) return [];
      const { max } = trace.value.read(step.id, { head: evidence.head });
      return [{ step, batch: 0, evidence, isMeasured: true, vocabulary: model.vocabulary, values: Float64Array.from(max) }];
    });
    assert.equal(heads.length, 8);
    return { heads, words: plan.value.tokens.map(({ text: word }) => word) };
  } // prettier-ignore

  it('takes the token in which or behind which the cursor was put, and no place where nobody put it', async () => {
    const text = 'The keys that the man lost are here';
    const plan = planOf(await textSpec(boxOf('words-1'), text));
    assert.ok(plan.ok);
    const { tokens } = plan.value;
    const at = (cursor: number): string | undefined => tokens[rowAtCursor(tokens, cursor) ?? -1]?.text;
    assert.deepEqual([4, 6, 8, 9, 13].map(at), ['keys', 'keys', 'keys', 'that', 'that']);
    assert.deepEqual([0, 1, 3, 32, text.length, 99].map(at), [undefined, 'the', 'the', 'here', undefined, undefined]);
  });

  it('is about the row of the cursor, of every head that does there what it is known for, else of the one that looks elsewhere most', async () => {
    const { heads, words } = await headsOn('The keys that the man lost are here');
    const { tokens } = { tokens: words.map((text, id) => ({ text, id, start: 0, end: 0 })) };
    for (let row = 1; row < words.length; row++) {
      const focus = openingFocus(heads, tokens, row);
      assert.equal(focus?.row, row);
      const n = words.length;
      const own = [...(focus?.head.values.subarray(row * n, (row + 1) * n) ?? [])];
      assert.equal(focus?.weight, Math.max(...own));
    }
  });

  it('asks for a verb’s subject only where the head looks at a noun of its number', async () => {
    const asked = async (text: string): Promise<string[]> => {
      const { heads, words } = await headsOn(text);
      const found = openingFocus(heads, words.map((word, id) => ({ text: word, id }))); // prettier-ignore
      return found ? [found.head.evidence.kind, words[found.row] ?? '', words[found.key] ?? ''] : [];
    };
    assert.deepEqual(await asked('The dogs near the old house are hungry.'), ['agreement', 'house', 'dogs']);
    assert.deepEqual(await asked('The girl who saw the boys was happy.'), ['agreement', 'boys', 'girl']);
    assert.deepEqual(await asked('The king saw the queen because she was near the house.'), ['pronoun', 'she', 'queen']);
    // The head for subjects looks at “a” before “is”: that is no subject.
    assert.notEqual((await asked('A small cat is under the chairs.'))[0], 'agreement');
    // That the first token is after the start says nothing of this text.
    assert.notDeepEqual((await asked('The quick brown fox jumps over the lazy dog.')).slice(1), ['the', '<s>']);
  }); // prettier-ignore

  it('names the head of subjects by the row that points: that before the verb, not the verb’s', async () => {
    for (const [text, before, verb, subject] of [
      ['The keys near the table are old.', 'table', 'are', 'keys'],
      ['The dogs near the old house are hungry.', 'house', 'are', 'dogs'],
      ['The girl who saw the boys was happy.', 'boys', 'was', 'girl'],
    ] as const) {
      const { heads, words } = await headsOn(text);
      const head = heads.find(({ evidence }) => evidence.kind === 'agreement') ?? assert.fail();
      const looked = (word: string): string | undefined => words[focusAt(head, words.indexOf(word)).key];
      assert.equal(looked(before), subject);
      assert.notEqual(looked(verb), subject);
    }
    assert.match(plainText(kindWords('agreement')), /^before a verb, to its subject$/);
  });

  it('says of no row that a key wins where none stands out', async () => {
    const { heads } = await headsOn('The keys.');
    const [some] = heads;
    assert.ok(some);
    const draw = (row: readonly number[], isMeasured: boolean): string | undefined => {
      const n = some.step.shape.at(-1) ?? 0;
      const values = Float64Array.from({ length: n * n }, (_, i) => row[i % n] ?? 0);
      return drawIn(focusAt({ ...some, isMeasured, values }, 0), (share) => share.toFixed(3));
    };
    assert.equal(some.step.shape.at(-1), 4);
    assert.equal(draw([0.25, 0.25, 0.25, 0.25], false), 'evenly');
    assert.equal(draw([0.2501, 0.25, 0.25, 0.2499], false), 'evenly');
    assert.equal(draw([0.27, 0.25, 0.25, 0.23], true), 'evenly');
    assert.equal(draw([0.27, 0.25, 0.25, 0.23], false), undefined);
    assert.equal(draw([0.3, 0.25, 0.25, 0.2], true), undefined);
    assert.equal(draw([0.4, 0.4, 0.2, 0], true), 'alike');
    assert.equal(draw([0.4002, 0.3999, 0.2, 0], false), 'alike');
    assert.equal(draw([1, 0, 0, 0], true), undefined);
    assert.equal(draw([0.5, 0.5, 0, 0], false), 'evenly');
  });

  it('says of such a row that the head does something else in it', async () => {
    const { heads, words } = await headsOn('A small cat is under the chairs.');
    const head = heads.find(({ evidence }) => evidence.kind === 'agreement');
    assert.ok(head);
    assert.equal(bestIn(head, words.map((text, id) => ({ text, id }))), undefined); // prettier-ignore
  });

  it('knows the number of nouns that have both, and no verb for a noun', async () => {
    const { vocabulary } = await modelOf(boxOf('words-1'));
    for (const noun of ['cat', 'fox', 'baby', 'man', 'child', 'knife', 'city', 'princess', 'bench'])
      assert.deepEqual([agrees(vocabulary, 'is', noun), agrees(vocabulary, 'are', noun)], [true, false], noun);
    for (const noun of ['cats', 'foxes', 'babies', 'men', 'children', 'knives', 'cities', 'shelves', 'mice'])
      assert.deepEqual([agrees(vocabulary, 'has', noun), agrees(vocabulary, 'were', noun)], [false, true], noun);
    for (const other of ['a', 'i', 'is', 'this', 'likes', 'walk', 'walks', 'run', 'see', 'sees', 'old', 'near', '<s>', 'james'])
      assert.deepEqual([agrees(vocabulary, 'is', other), agrees(vocabulary, 'are', other)], [false, false], other);
  }); // prettier-ignore

  it('knows whom he or she can stand for, by gender too', () => {
    for (const [pronoun, words] of [
      ['he', 'king tom doctor lion'],
      ['she', 'mary queen doctor lion'],
    ] as const)
      for (const word of words.split(' ')) assert.ok(canBeMeant(pronoun, word), `${pronoun} ${word}`);
    for (const [pronoun, words] of [
      ['he', 'mary queen mother kings did home table yesterday tired the and . <s>'],
      ['she', 'tom king uncle doctors'],
      ['it', 'cat king'],
    ] as const)
      for (const word of words.split(' ')) assert.ok(!canBeMeant(pronoun, word), `${pronoun} ${word}`);
  });

  it('claims no noun of a pronoun that looks at another word', async () => {
    // By NumPy (test/reference/box_models.py) the pronoun's head looks at these words: it points, and at no noun.
    for (const [text, pronoun, looked] of [
      ['What did he see?', 'he', 'did'],
      ['When he walked home he was tired.', 'he', 'home'],
      ['Yesterday he broke the window.', 'he', 'yesterday'],
    ] as const) {
      const { heads, words } = await headsOn(text);
      const head = heads.find(({ evidence }) => evidence.kind === 'pronoun') ?? assert.fail();
      const row = words.lastIndexOf(pronoun);
      assert.equal(words[focusAt(head, row).key], looked);
      const tokens = words.map((word, id) => ({ text: word, id }));
      assert.equal(bestIn(head, tokens), undefined, text);
      assert.notEqual(openingFocus(heads, tokens)?.head.evidence.kind, 'pronoun', text);
    }
  });
});
