import { currentStep, type Session } from '../session';

/** Tells the host which step of a program is shown, so that the editor can mark its line; each step and cell once. */
export function createCodeLine({ post }: Pick<Session['host'], 'post'>): (session: Session) => void {
  let last = '';
  return ({ shown, state }) => {
    if (!shown || shown.asked.explanation.spec.start.from !== 'program') return void (last = '');
    const { id } = currentStep(shown.trace.plan, state.step);
    const { cell } = state;
    const now = JSON.stringify([id, cell]);
    if (now === last) return;
    last = now;
    post({ type: 'step', step: id, reveal: false, ...(cell ? { cell } : {}) });
  };
}
