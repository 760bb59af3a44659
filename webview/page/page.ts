import type { Compute, Remote } from '../compute';
import { createCodeLine } from './code-line';
import { performAction, addKeys } from './keys';
import { render } from './render';
import { begin, createSession, receive, type Host } from '../session';
import { createTokenizers, isEncoding } from '../tokenizers';
import { createViews } from './views';

export interface Page {
  /** Handles a message from the host. */
  receive(message: unknown): void;
  /** Redraws with the colours of a changed theme. */
  redraw(): void;
}

/** The whole page: builds the views once, and draws them from the session after every change. */
export function createPage(root: HTMLElement, host: Host, compute: Compute, startWorker: () => Remote): Page {
  const ask = (name: string): void =>
    host.post(isEncoding(name) ? { type: 'vocabulary', encoding: name } : { type: 'modelFile', file: name });
  const tokenizers = createTokenizers({ startWorker, ask });
  const session = createSession({
    host,
    compute,
    tokenizers,
    act: (action) => performAction(session, action, views.find.open),
    changed() {
      render(views, session);
      tellStep(session);
    },
  });
  const tellStep = createCodeLine(host);
  const views = createViews(root, session, startWorker);
  addKeys(session, () => views.header.focusControls(), views.stage.closeMotion);
  begin(session);
  return {
    receive: (message) => receive(session, message),
    redraw() {
      views.timeline.redraw();
      views.stage.redraw();
      views.ownNumbers.redraw();
      views.reading.redraw();
      views.inspector.current?.view.redraw();
    },
  };
}
