import type { Plan, Step } from '../../engine/index';
import { createArcs, readRow, attentionText, sameTokens, weightsStep, type ArcsActions } from '../arcs';
import type { Header } from './header';
import { goTo, revealSource, select, selectedToken, selectToken, update, type Session, type Shown } from '../session';
import { addPlayKey, createPlay, type PlayModel } from '../timeline';
import { createPredict, isHidden, withGuess } from '../predict';
import type { Reading } from '../choices';
import { createTokensView } from '../tokens';
import { neighbour, mainSteps } from '../trace';

/** Reading aids beside a step's picture: arcs, the text, Play, predict first. */
export interface ReadingViews {
  /** Shown above the inspector, or instead of it. */
  readonly predict: HTMLElement;
  update(shown: Shown, step: Step, index: readonly number[]): void;
  /** Redraws with the colours of a changed theme. */
  redraw(): void;
}

/** Builds the reading aids and places them in the stage. */
export function createReading(session: Session, stage: HTMLElement, header: Header): ReadingViews {
  const arcs = createArcs(arcsActions(session));
  const text = createTokensView({ onToken: (at) => selectToken(session, at), onReveal: () => revealSource(session) });
  const play = createPlay({ onStep: (id) => goTo(session, id), onPace: (pace) => read(session, { pace }) });
  addPlayKey(play, () => session.shown !== undefined);
  stage.append(arcs.element);
  stage.querySelector('.picture')?.before(text.element);
  const predict = createPredict({
    onToggle: (on) => read(session, { predict: on }),
    onGuess: (guess, about) => read(session, withGuess(session.state.reading, guess, about)),
  });
  stage.querySelector('.stage-walk')?.append(play.element, predict.toggle);
  const shade = createShade(header);
  return {
    predict: predict.element,
    update(shown, step, index) {
      const { trace, asked } = shown;
      const { slice, reading } = session.state;
      const [row, column] = index.slice(-2);
      const token = selectedToken(session);
      const isWeights = step.id === 'weights';
      const weights = weightsStep(trace.plan);
      const unseen = weights !== undefined && isHidden(reading, trace, weights);
      const query = isWeights || (sameTokens(trace) && token !== undefined) ? row : undefined;
      const { digits } = asked.switches;
      const key = isWeights ? column : undefined;
      arcs.update({ trace, slice, digits, query, key, open: reading.arcs ?? isWeights, hidden: unseen });
      const { range } = asked.explanation.source;
      const canReveal = range !== undefined && session.state.source !== 'gone';
      text.update(step.id === 'tokens' ? { spec: trace.spec, plan: trace.plan, token, canReveal } : undefined);
      play.update(playModel(session, trace.plan, step));
      predict.update({ trace, step, index, digits, reading });
      shade(session, shown, unseen ? undefined : query);
    },
    redraw: () => arcs.redraw(),
  };
}

const playModel = ({ state, previousState }: Session, plan: Plan, step: Step): PlayModel => ({
  step: step.id,
  next: neighbour(plan, step, 1)?.id,
  first: mainSteps(plan)[0]?.id,
  pace: state.reading.pace,
  waiting: previousState !== undefined,
});

/** Changes the settings of the reading aids, redraws and saves. */
export const read = (session: Session, change: Partial<Reading>): void =>
  update(session, { ...session.state, reading: { ...session.state.reading, ...change } });

const arcsActions = (session: Session): ArcsActions => ({
  onToggle: (arcs) => read(session, { arcs }),
  onWeights: () => select(session, 'weights', session.state.cell ?? [0, 0]),
  onSelect({ side, at }) {
    const { state, shown } = session;
    const step = shown && weightsStep(shown.trace.plan);
    if (!step) return;
    const here = state.step === step.id;
    const [row, column] = here && state.cell ? state.cell : [selectedToken(session) ?? 0, 0];
    if (side === 'key') select(session, step.id, [row, at]);
    else if (here) select(session, step.id, [at, column]);
    else selectToken(session, at);
  },
});

/** Shades the header's tokens by the weights of the selected query, where keys are the same tokens. */
function createShade(header: Header): (session: Session, shown: Shown, query: number | undefined) => void {
  let latestRequest = 0;
  return ({ state }, { trace }, query) => {
    const request = ++latestRequest;
    const step = weightsStep(trace.plan);
    if (!step || query === undefined || trace.preview || !sameTokens(trace)) return header.shade(undefined);
    readRow(trace, step, state.slice, query).then(
      (row) => request === latestRequest && header.shade(row),
      // The worker was stopped: no weights to shade by.
      () => undefined,
    );
  };
}

/** The weights of a token as sentences, for its tooltip. */
export function attentionOf({ shown, state }: Session, token: number): Promise<readonly string[]> {
  const weights = shown && weightsStep(shown.trace.plan);
  return weights && !isHidden(state.reading, shown.trace, weights)
    ? attentionText(shown.trace, state.slice, token, shown.asked.switches.digits).catch(() => [])
    : Promise.resolve([]);
}
