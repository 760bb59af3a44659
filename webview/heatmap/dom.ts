import { attributeText, plain } from '../draw';

interface Props {
  readonly class?: string;
  readonly text?: string;
  readonly title?: string;
  /** Any other attribute, such as `aria-label` or `data-row`. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: (event: MouseEvent) => void;
}

/** An element with its children. Styles are never inline attributes, which the page's CSP refuses. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  if (props.class) node.className = props.class;
  if (props.text !== undefined) node.textContent = props.text;
  if (props.title) node.title = plain(props.title);
  for (const [name, value] of Object.entries(props.attributes ?? {}))
    node.setAttribute(name, attributeText(name, value));
  if (props.onClick) node.addEventListener('click', props.onClick as (event: Event) => void);
  node.append(...children.filter((c) => c !== undefined));
  return node;
}

export const px = (n: number): string => `${n}px`;

export function place(node: HTMLElement, box: { left: number; top: number; width: number; height: number }): void {
  node.style.left = px(box.left);
  node.style.top = px(box.top);
  node.style.width = px(box.width);
  node.style.height = px(box.height);
}

/** Coalesces calls: runs `work` at most once before the next frame. */
export function oncePerFrame(work: () => void): { ask(): void; cancel(): void } {
  let frame = 0;
  return {
    ask() {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        work();
      });
    },
    cancel() {
      cancelAnimationFrame(frame);
      frame = 0;
    },
  };
}
