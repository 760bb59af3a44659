import type { ComputedHead, FromModel, ModelQuestion, Result, Side } from '../../engine/index'; // prettier-ignore
import { anyObject, count, isFields, list, object, oneOf, test, text, type Shape } from './shape';
import type { View } from './messages';
import { checkView, parse } from './check';

/* Messages between the host and the page of a model (webview/model/). */

/** A folder of this machine, read by the host. */
export interface ModelFolder {
  readonly path: string;
  readonly name: string;
}

export type ModelHostMessage =
  /** What to open. Without a folder the page asks for files: the host cannot read folders where it runs. */
  | { readonly type: 'start'; readonly folder: ModelFolder | null; readonly text: string }
  /** The reply to `pick`: a folder was chosen for a side. */
  | { readonly type: 'folder'; readonly side: Side; readonly folder: ModelFolder }
  /** From the process that runs models. */
  | { readonly type: 'told'; readonly message: FromModel }
  /** The program that runs models, for a worker of the page. */
  | { readonly type: 'engine'; readonly code: string }
  /** Put the focus into the text. */
  | { readonly type: 'focusText' };

export type ModelPageMessage =
  | { readonly type: 'ready' }
  /** A question for the process that runs models; each reply is a `told`. */
  | { readonly type: 'ask'; readonly id: number; readonly question: ModelQuestion }
  | { readonly type: 'cancel'; readonly id: number }
  /** Choose a folder for a side. */
  | { readonly type: 'pick'; readonly side: Side }
  /** Send the program that runs models. */
  | { readonly type: 'engine' }
  /** Show a head in the explainer. */
  | { readonly type: 'head'; readonly head: ComputedHead; readonly view: View; readonly label: string }
  | { readonly type: 'log'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

const side = oneOf('first', 'second');
const folder = object({ required: { path: text, name: text } });
const maybeFolder = test('a folder or null', (v) => v === null || (isFields(v) && typeof v['path'] === 'string'));
const numbers = test('numbers', (v) => v instanceof Float32Array);
const number = test('a number', (v) => typeof v === 'number');

const hostMessages: Record<ModelHostMessage['type'], Shape> = {
  start: { required: { folder: maybeFolder, text } },
  folder: { required: { side, folder } },
  told: { required: { message: object({ required: { id: count } }) } },
  engine: { required: { code: text } },
  focusText: { required: {} },
};

const head = object({
  required: {
    q: numbers,
    k: numbers,
    v: numbers,
    headWidth: count,
    scale: number,
    labels: object({ required: { queries: list(text), keys: list(text) } }),
  },
  optional: { window: count, softcap: number, bias: anyObject },
});

const pageMessages: Record<ModelPageMessage['type'], Shape> = {
  ready: { required: {} },
  ask: { required: { id: count, question: object({ required: { kind: oneOf('open', 'run', 'head', 'compare', 'measure') }, optional: { side } }) } },
  cancel: { required: { id: count } },
  pick: { required: { side } },
  engine: { required: {} },
  head: { required: { head, view: checkView, label: text } },
  log: { required: { level: oneOf('info', 'warn', 'error'), message: text } },
}; // prettier-ignore

/** Validates a message of the host. Never throws; a problem has the path of its field. */
export const parseModelHostMessage = (value: unknown): Result<ModelHostMessage> => parse<ModelHostMessage>(value, hostMessages); // prettier-ignore

/** Validates a message of the page. Never throws; a problem has the path of its field. */
export const parseModelPageMessage = (value: unknown): Result<ModelPageMessage> => parse<ModelPageMessage>(value, pageMessages); // prettier-ignore
