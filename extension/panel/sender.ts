import { hasLargeMatrix, inStretches, packPaced } from '../../engine/index';
import type { HostMessage } from '../../webview/protocol';
import { nextTurn } from '../activation';

/** Posts a message to the page. Resolves to whether a page received it. */
export type Post = (message: HostMessage) => PromiseLike<boolean>;

/**
 * Wraps `post`: messages keep their order, but a large explanation is sent in parts of half a megabyte, because serialising it as one message would
 * block the extension host for 0.2 s. A newer explanation cancels one that is being sent; the older one's promise then resolves to true, since it was
 * replaced.
 */
export function createSender(post: Post): Post {
  let newest = 0;
  let sending: Promise<unknown> | undefined;

  const sendInParts = async (message: HostMessage, of: number): Promise<boolean> => {
    const isLate = (): boolean => newest !== of;
    // A panel that was just opened has taken its time already, so other work runs first.
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
    if (message.type !== 'explain') return sending ? sending.then(() => post(message)) : post(message);
    const of = ++newest;
    sending = undefined;
    if (!hasLargeMatrix(message)) return post(message);
    const sent = sendInParts(message, of);
    const ended = (): void => {
      if (sending === done) sending = undefined;
    };
    const done: Promise<unknown> = sent.then(ended, ended);
    sending = done;
    return sent;
  };
}
