/* The sheet of controls: one for each field of the spec, and those of the display. */

export { createControls, type Controls, type ControlsActions } from './controls';
export { controls, countChanged, isChanged, isOfDisplay } from './list';
