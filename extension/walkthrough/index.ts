/* The walkthrough on VS Code's welcome page. */

export { registerWalkthrough } from './walkthrough';
