import { counted, t, type Measured, type ModelPlace, type ModelRun, type ModelSummary, type PicturedHead, type Problem, type Side } from '../../engine/index'; // prettier-ignore
import type { ModelHostMessage, ModelPageMessage } from '../protocol';
import { h, scrollTo, setText } from '../draw';
import { nextToken } from '../opening';
import { createModels, type Asked } from './ask';
import { createBeside, sameHead, type RunShown } from './beside';
import { createTextForm, type TextForm } from './form';
import { createHeadGrid } from './heads';
import { placeWords, shownCell, summaryWords, tiny, type RunTokens } from './words';

/** The page of a model, without VS Code's side. */
export interface ModelPage {
  readonly element: HTMLElement;
  receive(message: ModelHostMessage): void;
  redraw(): void;
}

/** A model that is open, and what it has read last. */
interface Opened {
  readonly place: ModelPlace;
  readonly name: string;
  readonly summary: ModelSummary;
  heads: PicturedHead[];
  tokens?: RunTokens;
  run?: ModelRun;
}

/** Up to so many parameters the kernels are measured without being asked: a pass in float64 takes about a second more. */
const measuredAtOnce = 2e8;

export function createModelPage(post: (message: ModelPageMessage) => void): ModelPage {
  const models = createModels(post);
  const sides: Partial<Record<Side, Opened>> = {};
  let running: Asked | undefined;
  let isOfFiles = false;

  const title = h('h1', {}, t('Model'));
  const summary = h('p', { class: 'model-summary' });
  const notes = h('div', { class: 'model-notes', role: 'note', hidden: true });
  const files = fileChooser(t('Choose config.json, model.safetensors (or its index and shards) and tokenizer.json'), (chosen) => void openSide('first', chosen, filesName(chosen), text)); // prettier-ignore
  const form = createTextForm('first', t('Read'), () => void read('first', form));
  const status = h('p', { class: 'model-status', role: 'status' });
  const bar = h('progress', { max: 1, 'aria-label': t('Progress') });
  const cancel = h('button', { type: 'button', class: 'opening-button' }, t('Cancel'));
  cancel.addEventListener('click', () => running?.cancel());
  const progress = h('div', { class: 'model-row', hidden: true }, bar, cancel);
  const trouble = h('div', { class: 'model-trouble', role: 'alert', hidden: true });
  const tokens = h('section', { class: 'model-tokens', hidden: true, 'aria-label': t('Tokens') });
  const next = h('section', { class: 'opening-next', hidden: true });
  const grid = createHeadGrid((head) => void openHead('first', head));
  const exact = h('p', { class: 'model-exact' });
  const measure = h('button', { type: 'button', class: 'text-link' }, t('Measure the difference'));
  measure.addEventListener('click', () => void measureNow());
  const note = h('section', { hidden: true, 'aria-label': t('What is exact') }, exact);
  const beside = createBeside((head, side) => void openHead(side, head));
  const secondForm = createTextForm('second', t('Read beside it'), () => void readSecond());
  const offers = besideOffers();
  const element = h('main', { class: 'model' }, title, summary, notes, files.element, form.element, progress, status, trouble, tokens, next, grid.element, note, offers.element, beside.element); // prettier-ignore
  form.element.hidden = true;
  /** What was selected when the page was opened. */
  let text = '';

  function besideOffers(): { readonly element: HTMLElement; close(): void } {
    const chooser = fileChooser(t('Choose the files of a second model'), (chosen) => void openSecond(chosen, filesName(chosen))); // prettier-ignore
    const offer = (label: string, act: () => void): HTMLElement => {
      const button = h('button', { type: 'button', class: 'opening-button' }, label);
      button.addEventListener('click', act);
      return button;
    };
    const close = (): void => {
      secondForm.element.hidden = chooser.element.hidden = true;
    };
    const another = offer(t('A second text…'), () => {
      close();
      secondForm.element.hidden = false;
      if (sides.first) secondForm.fit(sides.first.summary);
      secondForm.setText(form.text());
      secondForm.focus();
    });
    const model = offer(t('A second model…'), () => {
      close();
      if (isOfFiles) chooser.element.hidden = false;
      else post({ type: 'pick', side: 'second' });
    });
    close();
    return {
      element: h('section', { class: 'model-offers', hidden: true, 'aria-label': t('Compare') }, h('h2', {}, t('Compare')), h('div', { class: 'model-row' }, another, model), secondForm.element, chooser.element),
      close,
    };
  } // prettier-ignore

  const refuse = (problems: readonly Problem[]): void => {
    const real = problems.filter(({ code }) => code !== 'cancelled');
    trouble.hidden = real.length === 0;
    trouble.replaceChildren(...real.map(({ message, hint }) => h('p', {}, hint ? `${message} – ${hint}` : message)));
    if (real.length < problems.length) setText(status, t('Cancelled.'));
  };

  async function openSide(side: Side, place: ModelPlace, name: string, given: string): Promise<boolean> {
    running?.cancel();
    refuse([]);
    setText(status, t('Opening {0}…', name));
    if (side === 'first') clearAll(name);
    const reply = await models.ask({ kind: 'open', folder: place, side }).reply;
    setText(status, '');
    if ('problems' in reply) refuse(reply.problems);
    if ('problems' in reply && side === 'first') offerAnother();
    if (!('opened' in reply)) return false;
    sides[side] = { place, name, summary: reply.opened, heads: [] };
    if (side === 'second') return true;
    setText(summary, summaryWords(reply.opened));
    notes.hidden = reply.opened.notes.length === 0;
    notes.replaceChildren(...reply.opened.notes.map((one) => h('p', {}, one)));
    form.setText(given);
    form.fit(reply.opened);
    form.element.hidden = false;
    if (given === '') form.focus();
    else await read('first', form);
    return true;
  }

  /** Where nothing is open there is another choice to make. */
  function offerAnother(): void {
    if (isOfFiles) return void (files.element.hidden = false);
    const another = h('button', { type: 'button', class: 'opening-button' }, t('Choose another folder…'));
    another.addEventListener('click', () => post({ type: 'pick', side: 'first' }));
    trouble.append(another);
  }

  function clearAll(name: string): void {
    setText(title, name);
    setText(summary, '');
    for (const part of [notes, files.element, form.element]) part.hidden = true;
    hideRun();
    delete sides.first;
    delete sides.second;
  }

  function hideRun(): void {
    for (const part of [tokens, next, note, offers.element]) part.hidden = true;
    grid.update([], noTokens, false);
    beside.hide();
    offers.close();
  }

  /** Runs what a form asks for. Says whether it came to an end. */
  async function read(side: Side, from: Pick<TextForm, 'asked'>): Promise<boolean> {
    const own = sides[side];
    if (!own) return false;
    running?.cancel();
    refuse([]);
    beside.hide();
    own.heads = [];
    delete own.run;
    const done = (share: number, words: string): void => {
      bar.value = share;
      setText(status, words);
    };
    const asked = models.ask({ kind: 'run', asked: from.asked(), side }, (told) => {
      if (running !== asked) return;
      if ('progress' in told) done(told.progress, t('{0} reads the text: {1} %', own.name, Math.floor(100 * told.progress))); // prettier-ignore
      if ('read' in told) own.tokens = told.read;
      if ('heads' in told) own.heads.push(...told.heads);
      if (side === 'first' && own.tokens) showRun(own);
    });
    running = asked;
    progress.hidden = false;
    const reply = await asked.reply;
    if (running !== asked) return false;
    progress.hidden = true;
    running = undefined;
    setText(status, '');
    if ('problems' in reply) {
      refuse(reply.problems);
      // What is shown is of another text.
      if (side === 'first' && own.heads.length === 0) hideRun();
    }
    if (!('ran' in reply)) return false;
    own.run = reply.ran;
    own.tokens = reply.ran;
    setText(status, t('{0} has read {1}.', own.name, counted(reply.ran.first.tokens.length, 'token')));
    if (side === 'second') return true;
    showRun(own);
    offers.element.hidden = false;
    showExact(undefined);
    if (own.summary.parameters <= measuredAtOnce) void measureNow();
    return true;
  }

  function showRun({ tokens: own, heads, run, summary: { predicts } }: Opened): void {
    if (!own) return;
    const chips = (of: readonly string[]): HTMLElement => h('div', { class: 'model-chips' }, ...of.map((token, i) => h('span', { class: 'model-chip', title: String(i) }, token))); // prettier-ignore
    tokens.hidden = false;
    tokens.replaceChildren(h('h2', {}, counted(own.first.tokens.length, 'token')), chips(own.first.tokens), ...(own.second ? [h('h2', {}, t('The decoder read')), chips(own.second.tokens)] : [])); // prettier-ignore
    const heading = predicts === 'next' ? t('Next token') : t('In the last place');
    next.hidden = !run || run.predictions.length === 0;
    next.replaceChildren(h('h2', {}, heading), h('ul', {}, ...(run?.predictions ?? []).map(({ token, probability }) => nextToken({ text: token, share: probability })))); // prettier-ignore
    if (run?.notFinite !== undefined) refuse([{ code: 'nan', message: run.notFinite }]);
    grid.update(heads, own, run !== undefined);
  }

  function showExact(measured: Measured | undefined): void {
    note.hidden = false;
    exact.replaceChildren(
      t('Exact is the head that you open: from its Q, K and V on, every digit comes from sums in a fixed order, in float32, the same on every machine. The layers before it, and these pictures, come by WebAssembly kernels in float32.'), // prettier-ignore
      ' ',
      measured ? measuredWords(measured) : measure,
    );
  }

  async function measureNow(): Promise<void> {
    const own = sides.first?.run;
    const reply = await models.ask({ kind: 'measure', side: 'first' }).reply;
    if ('measured' in reply && sides.first?.run === own) showExact(reply.measured);
    else if ('problems' in reply) refuse(reply.problems);
  }

  /** The second text on the model of the first. */
  async function readSecond(): Promise<void> {
    const own = sides.first;
    if (!own?.run || running) return;
    if (await openSide('second', own.place, own.name, '')) await compare(secondForm);
  }

  /** A second model on the text of the first. */
  async function openSecond(place: ModelPlace, name: string): Promise<void> {
    offers.close();
    if (await openSide('second', place, name, '')) await compare(form);
  }

  async function compare(from: TextForm): Promise<void> {
    if (!(await read('second', from))) return;
    const [first, second] = [sides.first, sides.second];
    const reply = await models.ask({ kind: 'compare' }).reply;
    if ('problems' in reply) return refuse(reply.problems);
    if (!('compared' in reply) || !first?.run || !second?.run) return;
    const sameName = first.name === second.name;
    beside.update(shown(first, sameName ? quoted(form.text()) : first.name), shown(second, sameName ? quoted(from.text()) : second.name), reply.compared); // prettier-ignore
    scrollTo(beside.element, 'start');
  }

  async function openHead(side: Side, head: PicturedHead): Promise<void> {
    const own = sides[side];
    const { stack, layer, head: at, crosses } = head;
    const place = { stack, layer, head: at, ...(crosses && { crosses }) };
    if (!own?.run || !own.heads.some((one) => sameHead(one, head))) return setText(status, t('The text is still being read.')); // prettier-ignore
    const reply = await models.ask({ kind: 'head', place, side }).reply;
    if ('problems' in reply) return refuse(reply.problems);
    const { row, key } = shownCell(head, own.run);
    if ('head' in reply) post({ type: 'head', head: reply.head, view: { step: 'weights', cell: [row, key] }, label: `${own.name}, ${placeWords(place)}` }); // prettier-ignore
  }

  return {
    element,
    receive(message) {
      switch (message.type) {
        case 'start':
          text = message.text;
          if (message.folder) return void openSide('first', message.folder.path, message.folder.name, text);
          isOfFiles = true;
          models.useOwnWorker();
          return void (files.element.hidden = false);
        case 'folder':
          return void openSecond(message.folder.path, message.folder.name);
        case 'told':
          return models.heard(message.message);
        case 'engine':
          return models.useEngine(message.code);
        case 'focusText':
          return form.focus();
      }
    },
    redraw() {
      grid.redraw();
      beside.redraw();
    },
  };
}

const noTokens: RunTokens = { first: { ids: [], tokens: [] } };

const shown = ({ heads, tokens = noTokens, run }: Opened, name: string): RunShown => ({
  name,
  heads,
  tokens,
  predictions: run?.predictions ?? [],
});

/** A text as the head of a column: its beginning. */
const quoted = (text: string): string => `“${text.length > 40 ? `${text.slice(0, 39)}…` : text}”`;

function measuredWords({ tokens, weights, logits }: Measured): string {
  const apart = tiny(weights);
  const read = counted(tokens, 'token');
  return logits === undefined
    ? t('Measured on the beginning of the text ({0}), against the same pass with sums in float64: weights differ by at most {1}.', read, apart) // prettier-ignore
    : t('Measured on the beginning of the text ({0}), against the same pass with sums in float64: weights differ by at most {1}, scores of the vocabulary by at most {2} of the largest.', read, apart, tiny(logits)); // prettier-ignore
}

const filesName = (files: readonly File[]): string => files[0]?.webkitRelativePath.split('/')[0] || t('Model');

function fileChooser(label: string, onChosen: (files: readonly File[]) => void): { readonly element: HTMLElement } {
  const input = h('input', { type: 'file', multiple: true, class: 'model-files' });
  input.addEventListener('change', () => {
    if (input.files?.length) onChosen([...input.files]);
  });
  return { element: h('div', { hidden: true }, h('label', { class: 'model-field' }, label, input)) };
}
