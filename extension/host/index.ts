/* Services of VS Code that every room uses: commands, settings, messages and log, clipboard and files. */

export { command, unimplementedCommands, runCommand } from './command';
export { copyText, openContent, saveContent } from './exports';
export type { Guard } from './guard';
export { reportIssue } from './issue';
export { createReport, type Place, type Report } from './report';
export {
  followSetting,
  onFollowSetting,
  onPanelSettings,
  firstViewSetting,
  panelSettings,
  tokenizerSetting,
  trainedSetting,
  type TokenizerSetting,
} from './settings';
export { startWorker, type HostWorker } from './worker';
