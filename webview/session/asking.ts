import {
  boxModel,
  modelFile,
  modelNeeded,
  planOf,
  provideModel,
  readModel,
  tokenizerName,
  t,
  type AttentionSpec,
  type Plan,
  type Problem,
  type Step,
} from '../../engine/index';
import { splitIntoWords, specOf, withTokenizedText, type AppState, type Asked } from './app-state';
import { sameControls, type ControlValues } from '../choices';
import { fileNeededCode } from '../tokenizers';
import { carryCell, clampCell, mainSteps, stepOf, type ComputeReport, type TraceHandle } from '../trace';
import { fail, update, type Session, type Shown } from './model';

/** Computes what `next` asks for. What is shown stays until the result is there, and if there is none. */
export function ask(session: Session, next: AppState): void {
  const { asked } = next;
  session.tokenizers.cancel();
  session.retryWithTokenizer = undefined;
  session.readingModel = undefined;
  if (!asked) return update(session, next);
  const spec = specOf(asked);
  const planned = planOf(spec);
  if (!planned.ok) {
    if (planned.problems.some(({ code }) => code === modelNeeded)) return void readModelFirst(session, next, spec);
    return needsTokens(planned.problems)
      ? tokenizeFirst(session, next, asked, spec)
      : refuse(session, next, planned.problems);
  }
  // The number of digits is display only: nothing has to be computed.
  if (session.shown && !session.previousState && sameNumbers(session, next)) {
    session.shown = { ...session.shown, asked };
    return update(session, placed(next, session.shown.trace.plan, session.shown));
  }
  session.previousState ??= session.state;
  session.state = next;
  session.progress = undefined;
  session.compute.start(spec, next.settings.backend, {
    onProgress: (step, done, total) => {
      session.progress = { step, done, total };
      session.changed();
    },
    onPreview: (trace) => show(session, asked, trace),
    onDone: (trace, report) => {
      session.previousState = undefined;
      session.progress = undefined;
      show(session, asked, trace, report);
    },
    onReport: (report) => {
      if (session.shown?.asked !== asked) return;
      session.shown = { ...session.shown, report };
      session.changed();
    },
    onProblems: (problems) => giveUp(session, next, problems),
  });
  if (session.previousState) update(session, session.state);
}

/** Whether what is shown already has the requested numbers. */
function sameNumbers({ shown, state }: Session, next: AppState): boolean {
  if (!shown || !next.asked || state.settings.backend !== next.settings.backend) return false;
  const numbers = ({ switches }: Asked): ControlValues => ({ ...switches, digits: 0 });
  const { explanation, cuts } = shown.asked;
  const same = explanation === next.asked.explanation && cuts === next.asked.cuts;
  return same && sameControls(numbers(shown.asked), numbers(next.asked));
}

function show(session: Session, asked: Asked, trace: TraceHandle, report?: ComputeReport): void {
  const before = session.shown;
  session.shown = { asked, trace, ...(report ? { report } : {}) };
  update(session, placed(session.state, trace.plan, before));
}

/** The state with a step and a cell that the new plan has. */
function placed(state: AppState, plan: Plan, before: Shown | undefined): AppState {
  const step = currentStep(plan, state.step);
  const known = stepOf(plan, state.step) && state.cell;
  const cell = known
    ? clampCell(step, known)
    : carryCell(stepOf(before?.trace.plan ?? plan, state.step), step, state.cell);
  return { ...state, step: step.id, cell };
}

/** Masks that can go: then what they mask is looked at. */
const masks: ReadonlySet<string> = new Set(['mask', 'causalMask', 'keyMask', 'segmentMask', 'jointMask']);

/** The step with that id; if the plan has none, the first step that is computed (for given Q and K, the first after them). */
export function currentStep(plan: Plan, id: string | undefined): Step {
  const named = stepOf(plan, id);
  const first = mainSteps(plan).find((step) => step.place === 'main');
  const step =
    named ?? (id !== undefined && masks.has(id) ? stepOf(plan, 'masked') : undefined) ?? first ?? plan.steps[0];
  if (!step) throw new Error('a plan without steps');
  return step;
}

/** Shows why a spec cannot be planned: at the control if the reader changed one, else above what is shown. */
function refuse(session: Session, next: AppState, problems: readonly Problem[]): void {
  const { state } = session;
  const { asked } = next;
  if (!asked || asked.explanation !== state.asked?.explanation) {
    return fail(session, asked?.explanation.source.label ?? t('this input'), problems);
  }
  update(session, { ...state, refused: { switches: asked.switches, problems } });
}

export const needsTokens = (problems: readonly Problem[]): boolean =>
  problems.every(({ code }) => code === 'vocabulary-needed');

/** Tokenizes the text in a worker and then asks again. What is shown stays until then, and if tokenizing fails. */
function tokenizeFirst(session: Session, next: AppState, asked: Asked, spec: AttentionSpec): void {
  session.compute.cancel();
  session.previousState ??= session.state;
  session.state = next;
  session.tokenizers.start(spec, {
    onProgress(doing) {
      session.progress = { doing };
      session.changed();
    },
    onCut(cut) {
      const now = session.state;
      goBack(session);
      ask(session, withTokenizedText(now, cut));
    },
    onProblems: (problems) => tokenizingFailed(session, next, asked, problems),
  });
  update(session, session.state);
}

/** Reads the model that the spec names, and then asks again. What is shown stays until then, and if the file cannot be read. */
async function readModelFirst(session: Session, next: AppState, spec: AttentionSpec): Promise<void> {
  const { name = '', sha256 = '' } = spec.model ?? {};
  const box = boxModel(name);
  if (box?.sha256 !== sha256) return refuse(session, next, [unknownModel(name)]);
  session.compute.cancel();
  session.previousState ??= session.state;
  session.state = next;
  session.progress = { doing: t('Loading the trained model {0}', name) };
  session.readingModel = name;
  update(session, next);
  const bytes = await session.tokenizers.file(modelFile(box));
  // Another request replaced this one meanwhile.
  if (session.readingModel !== name) return;
  const read = bytes instanceof Uint8Array ? await readModel(bytes, sha256) : { ok: false as const, problems: bytes };
  if (session.readingModel !== name) return;
  session.readingModel = undefined;
  const now = session.state;
  goBack(session);
  if (!read.ok) return fail(session, name, read.problems);
  provideModel(read.value);
  ask(session, next.asked ? { ...now, asked: next.asked } : now);
}

const unknownModel = (name: string): Problem => ({
  code: 'model-unknown',
  path: 'model',
  message: t('{0} is no model of this version of the extension', name),
  hint: t('Models are never replaced; a newer version may have it.'),
});

/** Tokenizing failed. If nothing is shown yet, the text is split into words instead. */
function tokenizingFailed(session: Session, next: AppState, asked: Asked, problems: readonly Problem[]): void {
  goBack(session);
  if (!session.shown) ask(session, { ...next, asked: splitIntoWords(asked) });
  const label = tokenizerName(asked.switches.tokenizer);
  update(session, { ...session.state, trouble: { label, problems, tokenizer: true } });
  if (problems.some(({ code }) => code === fileNeededCode)) session.retryWithTokenizer = next;
}

/** Restores the state before the work under way. */
function goBack(session: Session): void {
  session.state = session.previousState ?? session.state;
  session.previousState = undefined;
  session.progress = undefined;
}

/** The computation failed: too large, or the worker crashed. */
function giveUp(session: Session, next: AppState, problems: readonly Problem[]): void {
  goBack(session);
  const label = next.asked?.explanation.source.label ?? t('this input');
  fail(session, label, problems);
}

/** Cancels the computation under way and goes back to what is shown. */
export function cancel(session: Session): void {
  session.compute.cancel();
  session.tokenizers.cancel();
  session.readingModel = undefined;
  const { previousState } = session;
  session.previousState = undefined;
  session.progress = undefined;
  if (previousState) update(session, session.shown ? { ...previousState, asked: session.shown.asked } : previousState);
}
