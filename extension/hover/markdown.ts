/** A text that stands for itself in Markdown, with HTML allowed. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\r\n]+/g, ' ').replace(/[\\`*_{}[\]()#+\-!<>|~&]/g, '\\$&');

/** A command with its one argument, as a link takes it. */
export const commandUri = (command: string, argument: object): string =>
  // encodeURIComponent leaves parentheses, which would end the link.
  `command:${command}?${encodeURIComponent(JSON.stringify([argument])).replace(/[()'!*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
