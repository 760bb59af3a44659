/* Files that capture(model) of explain_attention.py writes: their page, and a head of them in the panel. */

export { createCaptures, type OpenCapture, type ShowCaptured } from './captures';
