/* What host and page say to each other, what is checked of it at both ends, and what the page may load. */

export * from './messages';
export {
  checkExplanation,
  checkSettings,
  checkSourceState,
  checkView,
  parseHostMessage,
  parsePageMessage,
} from './check';
export { contentSecurityPolicy } from './policy';
