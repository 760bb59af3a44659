/* The session: what is asked for, what is shown and what is being computed, and everything that changes it. */

export {
  changeControls,
  chooseSlice,
  followLink,
  followSource,
  goTo,
  recompute,
  revealSource,
  select,
  selectedToken,
  selectToken,
  showOpening,
  showPlace,
  turnBeside,
  undoOrRedo,
} from './actions';
export {
  canRedo,
  canUndo,
  defaultsOf,
  editedOf,
  specOf,
  toPageState,
  uneditedOf,
  visibleControls,
  withPin,
  atCell,
  type AppState,
  type Asked,
  type ExplanationFailure,
} from './app-state';
export { cancel, currentStep } from './asking';
export { createSession, update, type Host, type Session, type Shown } from './model';
export { begin, receive } from './receiving';
export { canWriteBack, writeBackMessage } from './write-back';
