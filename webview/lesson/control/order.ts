import { hashSpec, ok, type Answer, type Question, type StudentResponse } from '../../../engine/index';
import { h } from '../../draw';
import { words } from '../words';
import type { Asking, Control } from './control';

type Ordered = Extract<Answer, { readonly kind: 'order-steps' }>;
type Asked = Extract<Question, { readonly kind: 'order-steps' }>;

/** A list of steps to be put in order by buttons, by arrow keys on a row, or by dragging. */
export function createOrder({ question, answer, changed }: Asking<Asked, Ordered>): Control {
  let order = shuffled(question, answer.order);
  let closed = false;
  const list = h('ol', { class: 'order', 'aria-label': words.order });
  const said = h('p', { class: 'spoken', role: 'status' });
  const move = (id: string, to: number): void => {
    if (closed || to < 0 || to >= order.length) return;
    order = order.filter((other) => other !== id);
    order.splice(to, 0, id);
    draw();
    said.textContent = words.position(id, to + 1, order.length);
    list.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus();
    changed();
  };
  function draw(): void {
    list.replaceChildren(...order.map((id, i) => rowOf(id, i, closed, move)));
  }
  draw();
  return {
    element: h('div', { class: 'ordering' }, list, said),
    read: () => ok(order),
    write(response: StudentResponse) {
      const ids: readonly unknown[] = Array.isArray(response) ? response : [];
      if (ids.length === order.length && order.every((id) => ids.includes(id))) order = ids as string[];
      draw();
    },
    close(shown) {
      closed = true;
      if (shown?.kind === 'order-steps') order = [...shown.order];
      draw();
    },
  };
} // prettier-ignore

/** The row of a step at index `i`. Once the question is closed it cannot be moved. */
function rowOf(id: string, i: number, closed: boolean, move: (id: string, to: number) => void): HTMLElement {
  const item = h('li', { 'data-id': id, tabindex: closed ? undefined : 0, draggable: closed ? undefined : 'true' });
  item.append(h('span', { class: 'order-name' }, id));
  if (!closed) item.append(moveButton('↑', words.up(id), () => move(id, i - 1)), moveButton('↓', words.down(id), () => move(id, i + 1)));
  item.addEventListener('keydown', (event) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0 || event.target !== item) return;
    event.preventDefault();
    move(id, i + by);
  });
  enableDragging(item, id, (dragged) => move(dragged, i));
  return item;
} // prettier-ignore

/**
 * An initial order that is the same for every reader and never the right one: sorted by a hash of question and step, reversed if that happens to be
 * right.
 */
function shuffled({ id }: Asked, right: readonly string[]): string[] {
  const keys = new Map(right.map((step) => [step, hashSpec([id, step])]));
  const mixed = [...right].sort((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1));
  return mixed.join() === right.join() ? mixed.reverse() : mixed;
}

function moveButton(sign: string, label: string, onClick: () => void): HTMLElement {
  const button = h('button', { type: 'button', class: 'quiet', 'aria-label': label, title: label, tabindex: -1 }, sign);
  button.addEventListener('click', onClick);
  return button;
}

function enableDragging(item: HTMLElement, id: string, onDrop: (id: string) => void): void {
  item.addEventListener('dragstart', (event) => event.dataTransfer?.setData('text/plain', id));
  item.addEventListener('dragover', (event) => event.preventDefault());
  item.addEventListener('drop', (event) => {
    event.preventDefault();
    const dragged = event.dataTransfer?.getData('text/plain') ?? '';
    if (dragged !== '' && dragged !== id) onDrop(dragged);
  });
}
