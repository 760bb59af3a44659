/* Messages between host and page, their validation at both ends, and the page's content security policy. */

export {
  checkExplanation,
  checkSettings,
  checkSourceState,
  checkView,
  parseHostMessage,
  parsePageMessage,
} from './check';
export {
  alongActs,
  pageActions,
  type AlongAct,
  type AlongPlace,
  type Explanation,
  type HostMessage,
  type JsonBytes,
  type Beside,
  type LocatedProblem,
  type PageAction,
  type PageMessage,
  type AlongStop,
  type PageState,
  type PageTheme,
  type PanelSettings,
  type Rewritten,
  type SentNumbers,
  type Source,
  type SourceState,
  type View,
} from './messages';
export {
  parseCaptureHostMessage,
  parseCapturePageMessage,
  type CaptureHostMessage,
  type CapturePageMessage,
  type CapturedPicture,
} from './capture';
export {
  parseModelHostMessage,
  parseModelPageMessage,
  type ModelFolder,
  type ModelHostMessage,
  type ModelPageMessage,
} from './model';
export { contentSecurityPolicy } from './policy';
