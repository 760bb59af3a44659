import type { Capture, HeadAt, Judged, Picture, Result } from '../../engine/index';
import { anyObject, count, list, object, oneOf, test, text, type Shape } from './shape';
import { parse } from './check';

/* Messages between the host and the page of a recorded model (webview/capture/). */

/** A head that was computed: its weights as a small picture, and what was found of the process's output. */
export interface CapturedPicture {
  readonly at: HeadAt;
  readonly picture: Picture;
  readonly is: Judged['is'];
  readonly says: string;
}

export type CaptureHostMessage =
  | { readonly type: 'capture'; readonly name: string; readonly capture: Capture }
  /** Heads, as they come. */
  | { readonly type: 'heads'; readonly heads: readonly CapturedPicture[] }
  | { readonly type: 'problems'; readonly messages: readonly string[] };

export type CapturePageMessage =
  | { readonly type: 'ready' }
  /** Show a head in the explainer. */
  | { readonly type: 'open'; readonly at: HeadAt }
  /** Show the line of the code that computed an attention. */
  | { readonly type: 'line'; readonly attention: number }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

const place = object({ required: { attention: count, input: count, head: count } });
const numbers = test('numbers', (v) => v instanceof Float32Array);
const picture = object({ required: { rows: count, columns: count, values: numbers } });
const head = object({ required: { at: place, picture, is: oneOf('agrees', 'differs', 'dropped'), says: text } });

const hostMessages: Record<CaptureHostMessage['type'], Shape> = {
  capture: { required: { name: text, capture: anyObject } },
  heads: { required: { heads: list(head) } },
  problems: { required: { messages: list(text) } },
};

const pageMessages: Record<CapturePageMessage['type'], Shape> = {
  ready: { required: {} },
  open: { required: { at: place } },
  line: { required: { attention: count } },
  log: { required: { level: oneOf('info', 'warn', 'error'), message: text } },
};

/** Validates a message of the host. Never throws; a problem has the path of its field. */
export const parseCaptureHostMessage = (value: unknown): Result<CaptureHostMessage> => parse<CaptureHostMessage>(value, hostMessages); // prettier-ignore

/** Validates a message of the page. Never throws; a problem has the path of its field. */
export const parseCapturePageMessage = (value: unknown): Result<CapturePageMessage> => parse<CapturePageMessage>(value, pageMessages); // prettier-ignore
