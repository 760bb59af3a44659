/** Escapes a text for Markdown in which HTML is allowed. */
export const escapeMarkdown = (text: string): string =>
  text.replace(/[\r\n]+/g, ' ').replace(/[\\`*_{}[\]()#+\-!<>|~&]/g, '\\$&');

/** The URI of a Markdown link that runs a command with one argument. */
export const commandUri = (command: string, argument: object): string =>
  // encodeURIComponent keeps parentheses, which would end the link.
  `command:${command}?${encodeURIComponent(JSON.stringify([argument])).replace(/[()'!*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)}`;
