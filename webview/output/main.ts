import { readOutput, type Output } from './output';
import { fillFrame } from './frame';
import { styleText } from './style';

/*
 * The notebook's renderer for outputs of explain(…): a bundle of its own, which VS Code loads into the document of all outputs. It holds no engine.
 * The page that explains is the extension's own, which the host sends as one file and which runs in a frame under the cell.
 */

/** What VS Code gives a renderer. Messages need the extension's host, which a notebook that is only looked at may lack. */
interface RendererContext {
  postMessage?(message: unknown): void;
  onDidReceiveMessage?(listener: (message: unknown) => void): unknown;
}

interface OutputItem {
  readonly id: string;
  json(): unknown;
}

/** The page and the words of the frame around it, as the host sends them. */
interface HostPage {
  readonly html: string;
  readonly settings: unknown;
  readonly open: string;
  readonly title: string;
}

/** Milliseconds after which a host that does not answer is named. */
const patience = 15_000;

export function activate(context: RendererContext): {
  renderOutputItem(item: OutputItem, element: HTMLElement): void;
  disposeOutputItem(id?: string): void;
} {
  const shown = new Map<string, () => void>();
  let page: Promise<HostPage | undefined> | undefined;
  const askForPage = (): Promise<HostPage | undefined> =>
    (page ??= new Promise((give) => {
      context.onDidReceiveMessage?.((message) => {
        if (isPage(message)) give(message);
      });
      context.postMessage?.({ type: 'page' });
      setTimeout(() => give(undefined), context.postMessage ? patience : 0);
    }));
  return {
    renderOutputItem(item, element) {
      shown.get(item.id)?.();
      const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
      const style = document.createElement('style');
      style.textContent = styleText;
      const output = readOutput(jsonOf(item));
      if (typeof output === 'string') return void root.replaceChildren(style, line('refused', output));
      const frame = document.createElement('iframe');
      frame.title = output.label;
      const bar = document.createElement('div');
      bar.className = 'bar';
      bar.append(line('label', output.label));
      root.replaceChildren(style, bar, frame);
      shown.set(
        item.id,
        whenVisible(frame, () => void show(output, bar, frame)),
      );
    },
    disposeOutputItem(id) {
      for (const [key, stop] of shown) {
        if (id !== undefined && key !== id) continue;
        stop();
        shown.delete(key);
      }
    },
  };

  async function show(output: Output, bar: HTMLElement, frame: HTMLIFrameElement): Promise<void> {
    const host = await askForPage();
    if (!host) {
      page = undefined;
      frame.replaceWith(
        line('refused', 'Explain Attention did not answer: its extension is not running in this window.'),
      );
      return;
    }
    const open = document.createElement('button');
    open.textContent = host.open;
    open.addEventListener('click', () => context.postMessage?.({ type: 'open', output }));
    bar.append(open);
    frame.title = `${host.title}: ${output.label}`;
    fillFrame(frame, host.html, {
      version: 1,
      explanation: { spec: output.spec, notes: output.notes, source: { label: output.label } },
      settings: host.settings,
    });
  }
}

function isPage(value: unknown): value is HostPage & { readonly type: 'page' } {
  const page = value as { readonly type?: unknown; readonly html?: unknown } | null;
  return page?.type === 'page' && typeof page.html === 'string';
}

function jsonOf(item: OutputItem): unknown {
  try {
    return item.json();
  } catch {
    return undefined;
  }
}

function line(name: string, text: string): HTMLElement {
  const element = document.createElement('p');
  element.className = name;
  element.textContent = text;
  return element;
}

/** Calls `act` once, when the element is first on the screen: a notebook of many outputs starts few pages. Returns what stops waiting. */
function whenVisible(element: Element, act: () => void): () => void {
  const watching = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    watching.disconnect();
    act();
  });
  watching.observe(element);
  return () => watching.disconnect();
}
