import type { HostMessage, Source } from '../../webview/protocol';

type Kind = HostMessage['type'];

/** Messages for a page that may not be loaded: the latest of each kind, and which of them were not delivered yet. */
export interface Outbox {
  put(message: HostMessage): void;
  /** The page has loaded and can receive messages. `source` is the source of the explanation that it restored from its own state, if any. */
  ready(source: Source | undefined): void;
  /** The page was hidden and so unloaded: messages wait until it is shown. */
  hidden(): void;
  shown(): void;
}

/** The order in which a page that has just loaded gets the messages. After the settings it takes for sure that there is nothing to explain. */
const order: readonly Kind[] = [
  'explain',
  'asked',
  'source',
  'problems',
  'settings',
  'vocabulary',
  'modelFile',
  'tokenizerFile',
  'noTokenizer',
  'goTo',
  'along',
  'act',
];

/** Kinds that are deleted after delivery: answers with megabytes of content, and actions that must happen only once. */
const oneTime: ReadonlySet<Kind> = new Set<Kind>([
  'vocabulary',
  'modelFile',
  'tokenizerFile',
  'noTokenizer',
  'goTo',
  'act',
]);

/**
 * Delivers messages to a page that may be unloaded and loaded again. Each kind is a state rather than an event: a later message replaces an
 * undelivered one, so nothing accumulates while the page is hidden. Kinds in `once` are sent once only. `post` resolves to false if no page received
 * the message.
 */
export function createOutbox(post: (message: HostMessage) => PromiseLike<boolean>): Outbox {
  const latest = new Map<Kind, HostMessage>();
  const waiting = new Set<Kind>();
  let hasLoaded = false;
  let isLoaded = false;

  const deliver = (kind: Kind): void => {
    const message = latest.get(kind);
    waiting.delete(kind);
    if (!message) return;
    post(message).then((delivered) => {
      if (latest.get(kind) !== message) return;
      if (!delivered) waiting.add(kind);
      else if (oneTime.has(kind)) latest.delete(kind);
    }, ignore);
  };
  const flush = (): void => {
    if (isLoaded) for (const kind of order) if (waiting.has(kind)) deliver(kind);
  };
  return {
    put(message) {
      // A new explanation is fresh, and replaces the problems of an earlier attempt.
      if (message.type === 'explain') for (const kind of ['asked', 'source', 'problems'] as const) latest.delete(kind);
      latest.set(message.type, message);
      waiting.add(message.type);
      flush();
    },
    ready(source) {
      hasLoaded = isLoaded = true;
      waiting.add('source');
      waiting.add('along');
      const wanted = latest.get('explain');
      if (wanted?.type === 'explain' && !isSame(wanted.explanation.source, source)) waiting.add('explain');
      flush();
    },
    hidden() {
      isLoaded = false;
    },
    shown() {
      isLoaded = hasLoaded;
      flush();
    },
  };
}

/** Whether the page shows this explanation already. It restores the explanation it was sent, which its source identifies. */
const isSame = (a: Source, b: Source | undefined): boolean =>
  b !== undefined && JSON.stringify(a) === JSON.stringify(b);

/** Posting to a panel that was just closed rejects; nothing is left to do then. */
const ignore = (): void => undefined;
