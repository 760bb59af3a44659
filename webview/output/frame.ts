/** Puts the page into a frame: the host's one file with this state, the notebook's colours, and its fonts. */
export function fillFrame(frame: HTMLIFrameElement, html: string, state: object): void {
  const json = JSON.stringify(state).replace(/</g, '\\u003c');
  frame.addEventListener('load', () => {
    const inner = frame.contentDocument;
    if (!inner) return;
    void loadFonts(inner);
    followTheme(inner);
    inner.addEventListener('keydown', handOn);
  });
  // A function, as `$` in a text would be read as a reference.
  frame.srcdoc = html.replace('id="saved-state">null<', () => `id="saved-state">${json}<`);
}

/**
 * VS Code hears keys in the notebook's own document, not in a frame of it: without this F1 and Ctrl+S do nothing while the page has the focus. Keys without
 * Ctrl, Alt or Command stay here, as in a notebook letters are commands, and so does the clipboard.
 */
function handOn(event: KeyboardEvent): void {
  const { key, code, keyCode, ctrlKey, metaKey, altKey, shiftKey, repeat } = event;
  const isClipboard = (ctrlKey || metaKey) && !altKey && /^[acvx]$/i.test(key);
  if (event.defaultPrevented || isClipboard || !(ctrlKey || metaKey || altKey || /^F\d+$/.test(key))) return;
  const same = new KeyboardEvent('keydown', { key, code, keyCode, ctrlKey, metaKey, altKey, shiftKey, repeat, bubbles: true, cancelable: true }); // prettier-ignore
  if (!window.dispatchEvent(same)) event.preventDefault();
}

/** VS Code sets colours as variables of the root element and the kind of theme on the body, here and at every change. */
function followTheme(inner: Document): void {
  const copy = (): void => {
    inner.documentElement.style.cssText = document.documentElement.style.cssText;
    inner.body.className = document.body.className;
    for (const name of ['data-vscode-theme-kind', 'data-vscode-theme-id'])
      inner.body.setAttribute(name, document.body.getAttribute(name) ?? '');
  };
  copy();
  const watching = new MutationObserver(() => (inner.defaultView ? copy() : watching.disconnect()));
  watching.observe(document.documentElement, { attributeFilter: ['style'] });
  watching.observe(document.body, { attributeFilter: ['class', 'data-vscode-theme-kind'] });
}

/** The notebook's policy lets no font come from a data: URL, as the page's file has them; from bytes it does. */
async function loadFonts(inner: Document): Promise<void> {
  const own = inner.defaultView as (Window & typeof globalThis) | null;
  if (!own) return;
  for (const sheet of inner.styleSheets)
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof own.CSSFontFaceRule)) continue;
      const data = /base64,([\w+/=]+)/.exec(rule.style.getPropertyValue('src'))?.[1];
      if (!data) continue;
      const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
      const value = (name: string): string => rule.style.getPropertyValue(name);
      const face = new own.FontFace(value('font-family').replace(/"/g, ''), bytes, { weight: value('font-weight') || 'normal', style: value('font-style') || 'normal' }); // prettier-ignore
      inner.fonts.add(await face.load());
    }
}
