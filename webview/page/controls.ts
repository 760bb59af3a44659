import type { Controls, ControlsActions } from '../controls';
import { read } from './reading';
import { changeControls, defaultsOf, visibleControls, type Session } from '../session';
import { filesOf } from '../choices';

export type Toggle = (open: boolean) => void;

export const controlsActions = (session: Session, toggle: Toggle): ControlsActions => ({
  onChange: (switches) => changeControls(session, switches),
  onReset() {
    const defaults = defaultsOf(session.state);
    if (defaults) changeControls(session, defaults);
  },
  onChooseTokenizer: () => session.host.post({ type: 'chooseTokenizer' }),
  onColumns: (columns) => read(session, { columns }),
  onFold(group, open) {
    const others = session.state.reading.unfolded.filter((id) => id !== group);
    read(session, { unfolded: open ? [...others, group] : others });
  },
  onClose: () => toggle(false),
});

export function renderControls(controls: Controls, { state }: Session): void {
  const switches = visibleControls(state);
  const defaults = defaultsOf(state);
  controls.element.hidden = !state.controlsOpen;
  // Closed controls are drawn when they are opened: drawing them was a quarter of the work of every change.
  if (!state.controlsOpen || !state.asked || !switches || !defaults) return;
  const { explanation, cuts } = state.asked;
  const files = filesOf(cuts, switches.tokenizer);
  const { columns, unfolded } = state.reading;
  const problems = state.refused?.problems ?? [];
  controls.update({ spec: explanation.spec, switches, defaults, files, problems, columns, unfolded });
}
