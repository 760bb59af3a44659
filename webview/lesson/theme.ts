import type { PageTheme } from '../protocol';

/** The page's current colours: VS Code's variables on the root element. */
export function themeNow(): PageTheme {
  const style = document.documentElement.style;
  const names = Array.from(style).filter((name) => name.startsWith('--vscode-'));
  const variables = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name).trim()]));
  return { classes: document.body.className.replace(/\bpresenting\b/, '').trim(), variables };
}
