import { offsetOf } from '../../engine/index';
import { originOf } from '../edits';
import { createInspector, type Inspector } from '../inspector';
import { select, type Session } from '../session';
import type { TraceHandle } from '../trace';

/** Where the inspector stands, and the one that stands there. */
export interface InspectorPlace {
  readonly box: HTMLElement;
  current?: Inspected & { readonly view: Inspector };
}

/** What the inspector shows. */
export interface Inspected {
  readonly trace: TraceHandle;
  readonly digits: number;
  readonly step: string;
  readonly index: readonly number[];
  /** Steps that the reader predicts first. */
  readonly hidden: readonly string[];
}

/** Shows another cell. An inspector belongs to one trace; drawing the same cell again would take the focus out of it. */
export function inspect(place: InspectorPlace, session: Session, next: Inspected): void {
  const { current } = place;
  const sameTrace =
    current?.trace === next.trace && current.digits === next.digits && String(current.hidden) === String(next.hidden);
  if (sameTrace && current.step === next.step && String(current.index) === String(next.index)) return;
  const view = sameTrace ? current.view : newInspector(place, session, next);
  place.current = { ...next, view };
  view.show(next.step, next.index);
}

function newInspector(place: InspectorPlace, session: Session, next: Inspected): Inspector {
  const { trace, digits, hidden } = next;
  const view = createInspector(trace, {
    digits,
    hidden: (id) => hidden.includes(id),
    origin(of, index) {
      const { shown } = session;
      return shown && originOf(shown.asked, of, offsetOf(of.shape, index));
    },
    onNavigate(id, index) {
      goToCell(session, id, index);
      // What was clicked is gone with the cell that it belonged to.
      place.box.focus({ preventScroll: true });
    },
  });
  // The one before stays until this one has something to show.
  new MutationObserver((_, observer) => {
    observer.disconnect();
    if (place.current?.view === view) place.box.replaceChildren(view.element);
  }).observe(view.element, { childList: true });
  return view;
}

export function goToCell(session: Session, id: string, index: readonly number[]): void {
  const [row = 0, column = 0] = index.slice(-2);
  select(session, id, [row, column], index.slice(0, -2));
}
