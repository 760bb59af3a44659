import { offsetOf } from '../../engine/index';
import { originOf } from '../edits';
import { createInspector, type Inspector } from '../inspector';
import { select, type Session } from '../session';
import type { TraceHandle } from '../trace';

/** The inspector's container, and the inspector in it. */
export interface InspectorPlace {
  readonly box: HTMLElement;
  current?: Inspected & { readonly view: Inspector };
}

/** What the inspector should show. */
export interface Inspected {
  readonly trace: TraceHandle;
  readonly digits: number;
  readonly step: string;
  readonly index: readonly number[];
  /** Ids of steps that the reader has to predict first. */
  readonly hidden: readonly string[];
}

/** Shows a cell in the inspector. Each trace has an inspector of its own. The same cell is not drawn again, so that the focus stays. */
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
      // The clicked element is removed together with the cell's explanation.
      place.box.focus({ preventScroll: true });
    },
  });
  // The previous inspector stays until this one has content.
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
