import assert from 'node:assert/strict';
import { mainSteps, planOf } from '../../engine/index';
import { badgeText } from '../../webview/page/badge';
import type { TokenizedText } from '../../webview/choices/tokenized-text';
import {
  parseHostMessage,
  parsePageMessage,
  type HostMessage,
  type PageMessage,
  type PageState,
} from '../../webview/protocol';
import {
  canRedo,
  canUndo,
  fromPageState,
  initialState,
  specOf,
  stepInHistory,
  toPageState,
  withTokenizedText,
  withExplanation,
  withControls,
  type AppState,
} from '../../webview/session/app-state';
import { applyControls, controlValuesOf } from '../../webview/choices/control-values';
import { carryCell, neighbour, rowOfToken, stepOf } from '../../webview/trace/steps';
import { catExplanation, fourExplanation, qkvExplanation, textSpec } from './inputs';

const settings = { backend: 'auto', digits: 2 } as const;

const hostMessages: readonly HostMessage[] = [
  { type: 'explain', explanation: catExplanation, settings },
  {
    type: 'explain',
    explanation: {
      ...catExplanation,
      said: [
        { change: { dtype: 'float32' }, followed: 'x', otherwise: 'y' },
        { change: { scale: 'none' }, otherwise: 'y' },
        { change: { mask: 'causal' }, otherwise: 'y' },
      ],
      unfollowed: [{ code: 'x', message: 'y', line: 1, column: 2, range: { start: 0, end: 1 } }],
    },
    settings,
  },
  {
    type: 'problems',
    label: 'a.md',
    problems: [{ code: 'x', message: 'y', hint: 'z', line: 1, column: 2, range: { start: 0, end: 1 } }],
  },
  { type: 'source', state: 'gone' },
  { type: 'settings', settings: { backend: 'webgpu', digits: 0 } },
  { type: 'vocabulary', encoding: 'gpt2', bytes: new Uint8Array([84, 75]) },
  { type: 'tokenizerFile', name: 'bert/tokenizer.json', text: '{}' },
  { type: 'noTokenizer', name: 'o200k_base', problems: [{ code: 'x', message: 'y' }] },
];
const pageMessages: readonly PageMessage[] = [
  { type: 'ready', restored: false },
  { type: 'ready', restored: true, source: fourExplanation.source },
  { type: 'recompute' },
  { type: 'reveal', start: 0, end: 3 },
  { type: 'askInput' },
  { type: 'explainAsText' },
  { type: 'vocabulary', encoding: 'cl100k_base' },
  { type: 'chooseTokenizer' },
  { type: 'copy', text: '1', what: 'Q (1×1)' },
  { type: 'open', language: 'python', content: '' },
  { type: 'link', spec: catExplanation.spec, view: { step: 'q', cell: [0, 1] } },
  { type: 'noLink', content: new Uint8Array([123, 125]) },
  { type: 'save', name: 'a.json', content: new Uint8Array([123, 125]) },
  { type: 'log', level: 'warn', message: 'text' },
];
/** What is said of matrices that were written into. */
const rewritten = (was: unknown, now: unknown) => ({
  type: 'writeBack',
  textHash: '0',
  matrices: [{ role: 'x', symbol: 'X', shape: [1, 2], was, now }],
});

/** Every way to leave out or spoil one field of a message, however deep. */
function* spoiled(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, field] of Object.entries(value)) {
    yield { ...value, [name]: typeof field === 'object' ? 7 : { wrong: true } };
    for (const inner of spoiled(field)) yield { ...value, [name]: inner };
  }
}

describe('messages', () => {
  it('come through unchanged', () => {
    for (const message of hostMessages) assert.deepEqual(parseHostMessage(message), { ok: true, value: message });
    for (const message of pageMessages) assert.deepEqual(parsePageMessage(message), { ok: true, value: message });
  });

  it('carry numbers one by one or in binary, and nothing else for them', () => {
    const numbers = new Float64Array([-Infinity, -0]);
    for (const [was, now] of [
      [
        ['-inf', '-0'],
        [1, 'nan'],
      ],
      [numbers, numbers],
      [[1, 2], numbers],
    ])
      // prettier-ignore
      assert.deepEqual(parsePageMessage(rewritten(was, now)), { ok: true, value: rewritten(was, now) });
    for (const bad of [new Float32Array(2), new Uint8Array(16), [1, Infinity], ['1'], { length: 2 }, undefined]) {
      const [first, second] = [parsePageMessage(rewritten(bad, numbers)), parsePageMessage(rewritten(numbers, bad))];
      assert.ok(!first.ok && !second.ok, String(bad));
      assert.match(first.problems[0]?.path ?? '', /^matrices\[0\]\.was/);
      assert.match(second.problems[0]?.path ?? '', /^matrices\[0\]\.now/);
    }
  });

  it('carry a page as what it saved or as its bytes', () => {
    const theme = { classes: 'vscode-dark', variables: {} };
    for (const state of [{ version: 1 }, new TextEncoder().encode('{"version":1}')])
      assert.ok(parsePageMessage({ type: 'savePage', state, theme }).ok);
    for (const state of [undefined, 'x', 7, [1]]) assert.ok(!parsePageMessage({ type: 'savePage', state, theme }).ok);
  });

  it('are refused with any field spoiled, with the path', () => {
    let tried = 0;
    for (const [parse, all] of [
      [parseHostMessage, hostMessages],
      [parsePageMessage, pageMessages],
    ] as const) {
      for (const bad of all.flatMap((message) => [...spoiled(message)])) {
        const result = parse(bad);
        assert.ok(!result.ok, JSON.stringify(bad));
        assert.ok(result.problems.every(({ path, message }) => path !== undefined && message.length > 5));
        tried++;
      }
    }
    assert.ok(tried > 60, `${tried} spoiled messages`);
  });

  it('are refused when they are none', () => {
    for (const bad of [undefined, null, 7, 'explain', [], {}, { type: 'toString' }, { type: ['explain'] }]) {
      assert.ok(!parseHostMessage(bad).ok);
      assert.ok(!parsePageMessage(bad).ok);
    }
  });

  it('name the field, what was expected and what was found', () => {
    const result = parsePageMessage({ type: 'reveal', start: -1, end: 2 });
    assert.ok(!result.ok);
    assert.equal(result.problems[0]?.message, 'start: expected a whole number from 0, found -1');
  });
});

describe('switches', () => {
  it('give back the spec they were read from', () => {
    for (const { spec } of [catExplanation, fourExplanation, qkvExplanation]) {
      assert.deepEqual(applyControls(spec, controlValuesOf(spec, 2)), spec);
    }
  });

  it('keep given matrices, to come back to', () => {
    const { spec } = fourExplanation;
    const without = applyControls(spec, { ...controlValuesOf(spec, 2), projections: 'none' });
    assert.deepEqual(without.projections, { from: 'none' });
    assert.deepEqual(applyControls(spec, controlValuesOf(spec, 2)).projections, spec.projections);
  });
});

describe('tokens of a vocabulary', () => {
  const { spec } = catExplanation;
  const cut: TokenizedText = { tokenizer: 'gpt2', pieces: [[464, 0, 3], [3797, 3, 7]], notes: [] }; // prettier-ignore
  const begun = withExplanation({ ...initialState, settings }, catExplanation);
  assert.ok(begun.asked);
  const chosen = withControls(withTokenizedText(begun, cut), { ...begun.asked.switches, tokenizer: 'gpt2' });
  const save = (): PageState => {
    const saved = toPageState(chosen);
    assert.ok(saved);
    return JSON.parse(JSON.stringify(saved)) as PageState;
  };

  it('are those that the text was cut into, for its tokenizer alone', () => {
    const { start } = applyControls(spec, { ...controlValuesOf(spec, 2), tokenizer: 'gpt2' }, [cut]);
    assert.ok(start.from === 'text' && 'pieces' in start);
    assert.deepEqual(start.pieces, cut.pieces);
    const other = applyControls(spec, { ...controlValuesOf(spec, 2), tokenizer: 'o200k_base' }, [cut]);
    assert.equal('pieces' in other.start, false);
    assert.deepEqual(applyControls(spec, controlValuesOf(spec, 2), [cut]), spec);
  });

  it('come with a spec that has them, and stay with it', () => {
    const start = { from: 'text', text: 'The cat', tokenizer: { file: 'x.json' }, pieces: cut.pieces } as const;
    const own = { ...spec, start };
    assert.deepEqual(applyControls(own, controlValuesOf(own, 2)), own);
  });

  it('are saved with the page and come back', () => {
    const restored = fromPageState(save());
    assert.deepEqual(restored, chosen);
    const planned = restored?.asked && planOf(specOf(restored.asked));
    assert.ok(planned?.ok && planned.value.tokens.length === 2);
  });

  it('that do not fit the text are dropped, not shown', () => {
    const spoil: unknown[] = [
      [{ ...cut, pieces: [[464, 0, 99]] }],
      [{ ...cut, pieces: 'all' }],
      [{ ...cut, tokenizer: 'gpt9' }],
      [{ tokenizer: 'gpt2', pieces: cut.pieces }],
      [null, 7],
      'none',
    ];
    for (const cuts of spoil) {
      const restored = fromPageState({ ...save(), cuts });
      assert.deepEqual(restored?.asked?.cuts, [], JSON.stringify(cuts));
      assert.equal(restored.asked?.switches.tokenizer, 'gpt2', 'it is asked for again');
    }
  });

  it('stay with the same text, and go with another', () => {
    const same = withExplanation(chosen, { ...catExplanation, notes: [] }, chosen.asked?.switches);
    assert.deepEqual(same.asked?.cuts, [cut]);
    const other = withExplanation(chosen, { ...catExplanation, spec: textSpec('A dog') }, chosen.asked?.switches);
    assert.deepEqual(other.asked?.cuts, []);
  });
});

describe('the page’s state', () => {
  const begun = withExplanation({ ...initialState, settings }, catExplanation);
  const change = (state: AppState, mask: 'none' | 'causal'): AppState =>
    state.asked ? withControls(state, { ...state.asked.switches, mask }) : state;

  it('undoes and redoes', () => {
    const changed = change(begun, 'causal');
    assert.deepEqual([canUndo(begun), canUndo(changed), canRedo(changed)], [false, true, false]);
    const undone = stepInHistory(changed, 'undo');
    assert.equal(undone.asked && specOf(undone.asked).mask, 'none');
    const redone = stepInHistory(undone, 'redo');
    assert.equal(redone.asked && specOf(redone.asked).mask, 'causal');
    assert.deepEqual(redone.past, changed.past);
  });

  it('takes refused values back before any change, and redoes nothing until then', () => {
    const undone = stepInHistory(change(begun, 'causal'), 'undo');
    assert.deepEqual([canUndo(undone), canRedo(undone)], [false, true]);
    const { switches } = undone.asked ?? assert.fail('nothing is asked');
    const refused: AppState = { ...undone, refused: { switches: { ...switches, dK: 0 }, problems: [] } };
    assert.deepEqual([canUndo(refused), canRedo(refused)], [true, false]);
    assert.deepEqual(stepInHistory(refused, 'undo'), undone);
  });

  it('a change after undo forgets what was undone; no change is no step', () => {
    const undone = stepInHistory(change(begun, 'causal'), 'undo');
    const other = undone.asked ? withControls(undone, { ...undone.asked.switches, dK: 5 }) : undone;
    assert.equal(canRedo(other), false);
    assert.deepEqual(change(begun, 'none').past, []);
  });

  it('is saved and comes back the same', () => {
    const state: AppState = {
      ...change(begun, 'causal'),
      step: 'weights',
      cell: [3, 1],
      scroll: 120,
      controlsOpen: true,
    };
    const saved: unknown = JSON.parse(JSON.stringify(toPageState(state)));
    assert.deepEqual(fromPageState(saved), state);
  });

  it('keeps switches that were saved before a later one was there', () => {
    const saved = toPageState(begun);
    assert.ok(saved);
    const { softcap: _, ...earlier } = { ...saved.switches, mask: 'causal' as const };
    const restored = fromPageState({ ...saved, switches: earlier, past: [earlier] });
    assert.equal(restored?.asked?.switches.mask, 'causal');
    assert.equal(restored.asked.switches.softcap, null);
    assert.equal(restored.past.length, 1);
  });

  it('drops saved switches that make no spec', () => {
    const saved = toPageState(begun);
    assert.ok(saved);
    const bad = { ...saved.switches, dtype: 'float8' };
    const restored = fromPageState({ ...saved, switches: bad, past: [bad] });
    assert.equal(restored?.asked?.switches.dtype, 'float64');
    assert.deepEqual(restored?.past, []);
  });
});

describe('walking', () => {
  const planned = planOf({ ...catExplanation.spec, mask: 'causal' });
  assert.ok(planned.ok);
  const plan = planned.value;
  const at = (id: string) => {
    const step = stepOf(plan, id);
    assert.ok(step, id);
    return step;
  };

  it('goes along the timeline, and out of a side room', () => {
    const walked = [];
    for (let step = mainSteps(plan)[0]; step; step = neighbour(plan, step, 1)) walked.push(step.id);
    assert.deepEqual(walked, 'tokens embedding positions x q k v scores scaled masked weights output'.split(' '));
    assert.equal(neighbour(plan, at('wk'), 1)?.id, 'k');
    assert.equal(neighbour(plan, at('wk'), -1)?.id, 'q');
    assert.equal(neighbour(plan, at('mask'), 1)?.id, 'masked');
    assert.equal(neighbour(plan, at('tokens'), -1), undefined);
    assert.equal(neighbour(plan, at('output'), 1), undefined);
  });

  it('carries the row and the column where they mean the same', () => {
    assert.deepEqual(carryCell(at('scores'), at('weights'), [4, 5]), [4, 5]);
    assert.deepEqual(carryCell(at('scores'), at('output'), [4, 5]), [4, 2]);
    assert.deepEqual(carryCell(at('q'), at('k'), [3, 7]), [3, 7]);
    assert.deepEqual(carryCell(undefined, at('scores'), undefined), [1, 2]);
  });

  it('finds a token’s row, in a table by its text', () => {
    assert.equal(rowOfToken(plan, at('weights'), 5), 5);
    assert.equal(rowOfToken(plan, at('table'), 5), 5);
    assert.equal(rowOfToken(plan, at('wq'), 5), undefined);
  });
});

describe('the badge', () => {
  const planned = planOf(qkvExplanation.spec);
  assert.ok(planned.ok);
  const said = (report: Parameters<typeof badgeText>[0]['report'], preview = false): string =>
    badgeText({ spec: qkvExplanation.spec, plan: planned.value, report, preview });

  it('says what ran, why no GPU did, and how far two results differ, rounded up', () => {
    assert.equal(said({ ran: 'CPU', milliseconds: 1 }), 'float64 · CPU');
    assert.equal(said({ ran: 'CPU', fallback: 'device lost', milliseconds: 1 }), 'float64 · CPU · no GPU: device lost');
    assert.equal(
      said({ ran: 'WebGPU + CPU', difference: { value: 2.1e-7, step: 'scores' }, milliseconds: 1 }),
      'float32 preview by WebGPU · exact float64 by CPU · differ by at most 3e−7 in S',
    );
    assert.match(
      said({ ran: 'WebGPU + CPU', difference: { value: 0, step: 'scores' }, milliseconds: 1 }),
      /at most 0 in S/,
    );
    assert.equal(
      said({
        ran: 'WASM + CPU',
        fallback: 'no adapter',
        difference: { value: 2.1e-7, step: 'scores' },
        milliseconds: 1,
      }),
      'float32 preview by WASM · exact float64 by CPU · differ by at most 3e−7 in S · no GPU: no adapter',
    );
    assert.equal(said(undefined, true), 'float32 preview by WebGPU · exact values follow');
  });
});
