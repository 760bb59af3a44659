// VS Code 1.100.3's own values of the variables that the page and the toolkit use, read from the root element of a
// webview in each of its four default themes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type ThemeName = 'dark' | 'light' | 'hc-dark' | 'hc-light';

export interface Theme {
  /** The theme's name in VS Code. */
  readonly id: string;
  /** `data-vscode-theme-kind`. */
  readonly kind: string;
  /** The body's classes. */
  readonly classes: string;
  readonly variables: Readonly<Record<string, string>>;
}

// As VS Code 1.100 has them, but for the blue and the orange of charts: those are as in 1.139, where the orange is translucent.
const recorded = JSON.parse(readFileSync(join(__dirname, 'themes.json'), 'utf8')) as Record<
  ThemeName,
  Omit<Theme, 'classes'>
>;

// A light theme of high contrast carries the class of high contrast too.
const classesOf = (kind: string): string =>
  kind === 'vscode-high-contrast-light' ? 'vscode-high-contrast-light vscode-high-contrast' : kind;

export const themeNames: readonly ThemeName[] = ['dark', 'light', 'hc-dark', 'hc-light'];

export const themes = Object.fromEntries(
  themeNames.map((name) => [name, { ...recorded[name], classes: classesOf(recorded[name].kind) }]),
) as Readonly<Record<ThemeName, Theme>>;
