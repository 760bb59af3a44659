import { hasLargeMatrix, inStretches, packPaced } from '../../engine/index';
import type { HostMessage } from '../../webview/protocol';
import { nextTurn } from '../activation';

/** Answers whether there was a page to get it. */
export type Post = (message: HostMessage) => PromiseLike<boolean>;

/**
 * Posts in the order of the calls, but a large explanation in parts of half a megabyte: as one message it would hold the extension host for a fifth of a
 * second. A newer explanation ends one that is on its way, and has taken its place: the answer for the older is then true.
 */
export function createSender(post: Post): Post {
  let newest = 0;
  let onItsWay: Promise<unknown> | undefined;

  const sendInParts = async (message: HostMessage, of: number): Promise<boolean> => {
    const isLate = (): boolean => newest !== of;
    // Whoever has just opened the panel has taken his time already.
    await nextTurn();
    if (isLate()) return true;
    const packed = await inStretches(packPaced(message), isLate);
    if (!packed) return true;
    for (const [index, values] of packed.parts.entries()) {
      if (!(await post({ type: 'numbers', of, index, values }))) return false;
      if (isLate()) return true;
    }
    return post({ type: 'packed', of, parts: packed.parts.length, message: packed.value });
  };

  return (message) => {
    if (message.type !== 'explain') return onItsWay ? onItsWay.then(() => post(message)) : post(message);
    const of = ++newest;
    onItsWay = undefined;
    if (!hasLargeMatrix(message)) return post(message);
    const sent = sendInParts(message, of);
    const ended = (): void => {
      if (onItsWay === done) onItsWay = undefined;
    };
    const done: Promise<unknown> = sent.then(ended, ended);
    onItsWay = done;
    return sent;
  };
}
