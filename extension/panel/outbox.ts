import type { HostMessage, Source } from '../../webview/protocol';

type Kind = HostMessage['type'];

/** What the page should know: the latest message of each kind, and which of them it has not got yet. */
export interface Outbox {
  put(message: HostMessage): void;
  /** The page can receive. `source` is that of what it shows from its own state, if anything. */
  ready(source: Source | undefined): void;
  /** Hidden pages are unloaded: what is put now waits. */
  hidden(): void;
  shown(): void;
}

/** The order in which a page that has just loaded wants them. */
const order: readonly Kind[] = [
  'settings',
  'explain',
  'asked',
  'source',
  'problems',
  'vocabulary',
  'tokenizerFile',
  'noTokenizer',
  'goTo',
  'act',
];

/** Answers, megabytes that are forgotten once they have arrived; and what is done once. */
const once: ReadonlySet<Kind> = new Set<Kind>(['vocabulary', 'tokenizerFile', 'noTokenizer', 'goTo', 'act']);

/**
 * Delivers messages to a page that comes and goes. Each kind is a state, not an event: a later message replaces one that was
 * not delivered, so nothing piles up while the page is away; what answers a question is sent once. `post` answers false when there was no page to get it.
 */
export function createOutbox(post: (message: HostMessage) => PromiseLike<boolean>): Outbox {
  const latest = new Map<Kind, HostMessage>();
  const waiting = new Set<Kind>();
  let known = false;
  let live = false;

  const deliver = (kind: Kind): void => {
    const message = latest.get(kind);
    waiting.delete(kind);
    if (!message) return;
    post(message).then((delivered) => {
      if (latest.get(kind) !== message) return;
      if (!delivered) waiting.add(kind);
      else if (once.has(kind)) latest.delete(kind);
    }, ignore);
  };
  const flush = (): void => {
    if (live) for (const kind of order) if (waiting.has(kind)) deliver(kind);
  };
  return {
    put(message) {
      // A new explanation is fresh, and answers the problems of an earlier attempt.
      if (message.type === 'explain') for (const kind of ['asked', 'source', 'problems'] as const) latest.delete(kind);
      latest.set(message.type, message);
      waiting.add(message.type);
      flush();
    },
    ready(source) {
      known = live = true;
      waiting.add('source');
      const wanted = latest.get('explain');
      if (wanted?.type === 'explain' && !isSame(wanted.explanation.source, source)) waiting.add('explain');
      flush();
    },
    hidden() {
      live = false;
    },
    shown() {
      live = known;
      flush();
    },
  };
}

/** The page keeps the explanation as it got it; the source says which one that was. */
const isSame = (a: Source, b: Source | undefined): boolean =>
  b !== undefined && JSON.stringify(a) === JSON.stringify(b);

/** A post to a panel that was just closed is rejected; there is nobody left to tell. */
const ignore = (): void => undefined;
