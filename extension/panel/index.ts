/* One webview panel: messages to and from its page, links, vocabularies, and edits written back into the source. */

export { copyLink, offerFile, readLink } from './links';
export { createPanel, type Panel } from './panel';
export { savePage } from './standalone';
export { chooseTokenizerFile, readVocabulary } from './vocabularies';
export { writeBack } from './write-back';
