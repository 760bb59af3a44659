import type { Button, Dropdown, TextField } from '@vscode/webview-ui-toolkit';
import { attributeText, typeset } from './symbols';

/*
 * The one wrapper around @vscode/webview-ui-toolkit 1.4.0, which is archived. Everything here returns plain elements and
 * functions, so native elements can replace the toolkit in this file alone. Four of its habits are worked around, each marked
 * “Toolkit:” below.
 */

/** Registers the toolkit's elements. To be called once, before the first of them is created. */
export const registerControls = (): Promise<void> =>
  import('./toolkit').then(({ registerToolkit }) => registerToolkit());

export type Child = Node | string | undefined | false;
type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Creates an element with attributes (`true` sets an empty one; `false` and undefined set none) and children. Never parses HTML. */
export function h<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes?: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[T];
export function h(tag: string, attributes?: Attributes, ...children: readonly Child[]): HTMLElement;
export function h(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  for (const child of children) if (child !== undefined && child !== false) element.append(child);
  return element;
}

/** Sets an attribute, or removes it if the value is false or undefined. */
export function setAttribute(element: Element, name: string, value: string | number | boolean | undefined): void {
  if (value === undefined || value === false) element.removeAttribute(name);
  else {
    const text = value === true ? '' : attributeText(name, String(value));
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/** Sets the text only if it differs: otherwise a live region would announce it again and a selection would be lost. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets a text with typeset symbols (`typeset`), only if it differs. An element's text must be set either always or never by this function. */
export function setTypeset(element: HTMLElement, text: string): void {
  if ((element.dataset['text'] ?? '') === text) return;
  element.dataset['text'] = text;
  element.replaceChildren(...typeset(text));
}

/** Replaces the children only if they differ: equal nodes would cause a new layout and lose the focus. */
export function setChildren(element: Element, ...nodes: readonly Node[]): void {
  const { childNodes } = element;
  if (childNodes.length === nodes.length && nodes.every((node, i) => node.isEqualNode(childNodes[i] ?? null))) return;
  element.replaceChildren(...nodes);
}

export interface ButtonOptions {
  readonly label: string;
  readonly icon?: IconName;
  /** If set, only the icon is shown, and the label is its accessible name. Else the label is the button's text. */
  readonly iconOnly?: boolean;
  readonly primary?: boolean;
  readonly title?: string;
  readonly onClick: () => void;
}

/** A push button: secondary by default, `primary` for the main action. */
export function button({ label, icon: name, iconOnly, primary, title, onClick }: ButtonOptions): HTMLElement {
  const appearance = iconOnly ? 'icon' : primary ? 'primary' : 'secondary';
  const element = h('vscode-button', { appearance, title: title ?? (iconOnly ? label : undefined) }) as Button;
  if (name) element.append(icon(name, !iconOnly));
  if (iconOnly) setAttribute(element, 'aria-label', label);
  else element.append(label);
  element.addEventListener('click', onClick);
  return element;
}

export function setDisabled(element: HTMLElement, disabled: boolean): void {
  (element as Button).disabled = disabled;
}

export interface Field {
  readonly element: HTMLElement;
  get(): string;
  set(value: string): void;
  describe(accessibility: FieldAccessibility): void;
}

export interface FieldAccessibility {
  readonly disabled?: boolean;
  readonly invalid?: boolean;
  /** Spoken after the label: the explanation and, if there is one, the problem. */
  readonly description: string;
}

export interface DropdownOptions {
  readonly label: string;
  readonly options: readonly { readonly value: string; readonly text: string }[];
  readonly onChange: (value: string) => void;
}

/** A choice among a few values. */
export function dropdown({ label, options, onChange }: DropdownOptions): Field {
  const element = h(
    'vscode-dropdown',
    { 'aria-label': label },
    ...options.map(({ value, text }) => h('vscode-option', { value }, ...typeset(text))),
  ) as Dropdown;
  let wanted = options[0]?.value ?? '';
  // Toolkit: it shows the chosen option as plain text. This slot shows it with typeset symbols.
  const chosen = h('span', { slot: 'selected-value' });
  const choose = (): void => {
    const text = options.find(({ value }) => value === wanted)?.text ?? '';
    chosen.replaceChildren(...typeset(text));
  };
  element.append(chosen);
  const apply = (): void => {
    if (element.isConnected) element.value = wanted;
    choose();
  };
  element.addEventListener('change', () => {
    const changed = element.value !== wanted;
    wanted = element.value;
    choose();
    if (changed) onChange(wanted);
  });
  return {
    element,
    get: () => wanted,
    set(value) {
      wanted = value;
      // Toolkit: a value set before the options are connected and slotted is ignored.
      if (element.isConnected && element.length) apply();
      else requestAnimationFrame(apply);
    },
    describe: (accessibility) => describe(element, element, accessibility),
  };
}

export interface TextFieldOptions {
  readonly label: string;
  readonly size: number;
  /** Called with the text on Enter, when the field loses the focus and, if `step` is set, for each arrow key. */
  readonly onChange: (value: string) => void;
  /** Whether arrow up and down add and subtract 1 if the text is a whole number. */
  readonly step?: boolean;
}

/** A text field for a short text or a number. */
export function textField({ label, size, onChange, step }: TextFieldOptions): Field {
  const element = h('vscode-text-field', { size }) as TextField;
  let last = '';
  const change = (): void => {
    if (element.value !== last) onChange((last = element.value));
  };
  element.addEventListener('change', change);
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') change();
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (!step || by === 0 || !/^-?\d+$/.test(element.value)) return;
    event.preventDefault();
    element.value = String(Number(element.value) + by);
    change();
  });
  return {
    element,
    get: () => element.value,
    set(value) {
      last = value;
      if (element.value !== value) element.value = value;
    },
    describe(accessibility) {
      // Toolkit: it names a connected field “Text field”, and the input in its shadow root is what a screen reader reads.
      setAttribute(element, 'aria-label', label);
      describe(element, element.control ?? element, accessibility);
    },
  };
}

function describe(host: Button | Dropdown | TextField, spoken: HTMLElement, options: FieldAccessibility): void {
  host.disabled = options.disabled ?? false;
  setAttribute(host, 'data-invalid', options.invalid);
  setAttribute(spoken, 'aria-invalid', options.invalid ? 'true' : undefined);
  setAttribute(spoken, 'aria-description', options.description);
}

/** A progress ring that screen readers ignore: the text beside it says what is being done. */
export function progressRing(): HTMLElement {
  const element = h('vscode-progress-ring');
  // Toolkit: on being connected it sets the role of an assertive alert, which would interrupt a screen reader.
  const makeSilent = (): void => {
    element.setAttribute('role', 'presentation');
    for (const name of ['aria-live', 'aria-label']) element.removeAttribute(name);
    element.setAttribute('aria-hidden', 'true');
  };
  new MutationObserver((_, observer) => {
    observer.disconnect();
    makeSilent();
  }).observe(element, { attributes: true });
  return element;
}

/** A small counter. Not the toolkit's badge: that writes an inline style attribute, which our content security policy blocks. */
export const badge = (text: string): HTMLElement => h('span', { class: 'count' }, text);

// --- icons ---------------------------------------------------------------------

const paths = {
  undo: 'M6 3 2.5 6.5 6 10M3 6.5h6.2a3.8 3.8 0 0 1 0 7.5H6',
  redo: 'm10 3 3.5 3.5L10 10M13 6.5H6.8a3.8 3.8 0 0 0 0 7.5H10',
  close: 'm4 4 8 8m0-8-8 8',
  left: 'M10 3 5 8l5 5',
  right: 'm6 3 5 5-5 5',
  play: 'M5 3v10l8-5z',
  pause: 'M5.5 3v10M10.5 3v10',
  controls: 'M2 4.5h7m4 0h1M2 11.5h1m4 0h7M11 2.7v3.6M5 9.7v3.6',
  predict: 'M1.5 8S4 3.8 8 3.8 14.5 8 14.5 8 12 12.2 8 12.2 1.5 8 1.5 8M2.5 13.5l11-11',
  note: 'M8 7v4.2M8 4.6v.2M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8',
  warning: 'M8 2 14.5 13.5h-13zM8 6.5v3.4M8 11.6v.2',
} as const;
export type IconName = keyof typeof paths;

/** A 16-pixel line icon in the current colour. `slotted` places it before a button's text. */
export function icon(name: IconName, slotted = false): SVGSVGElement {
  const svg = svgElement('svg', { viewBox: '0 0 16 16', width: 16, height: 16, class: 'icon', 'aria-hidden': 'true' });
  svg.append(svgElement('path', { d: paths[name] }));
  if (slotted) svg.setAttribute('slot', 'start');
  return svg;
}

export function svgElement<T extends keyof SVGElementTagNameMap>(
  tag: T,
  attributes: Attributes,
): SVGElementTagNameMap[T] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  return element;
}
