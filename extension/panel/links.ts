import { Inflate, deflateSync } from 'fflate/browser';
import * as vscode from 'vscode';
import { fail, hasLargeMatrix, ok, specFromJson, type Problem, type Result, type SpecText } from '../../engine/index';
import type { PageMessage } from '../../webview/protocol';
import { saveContent } from '../host';

/** Longest link that is created or opened, in characters. Browsers, chats and command lines carry at least as many. */
export const linkLimit = 8000;
/** Most bytes that a link may decompress to. */
const byteLimit = 1_000_000;

const extensionId = 'explain-attention.explain-attention';
const path = '/explain';

type Shared = Pick<Extract<PageMessage, { type: 'link' }>, 'spec' | 'view'>;

/** Longest JSON that is compressed for a link, in characters. A tenth of it in numbers fills a link already, and compressing a megabyte takes 0.2 s. */
const textLimit = 100_000;

/** A link that opens an explanation, with the spec and the page's view in it. Undefined if it would exceed the limits. */
export function linkOf({ spec, view }: Shared, scheme: string): string | undefined {
  const text = hasLargeMatrix(spec) ? undefined : JSON.stringify({ spec, view });
  if (text === undefined || text.length > textLimit) return undefined;
  const packed = deflateSync(new TextEncoder().encode(text), { level: 9 });
  const link = `${scheme}://${extensionId}${path}?v=1&z=${base64url(packed)}`;
  return link.length <= linkLimit ? link : undefined;
}

/** Copies the link of an explanation. Offers to save a file instead if the link would be too long. */
export async function copyLink(shared: Shared): Promise<void> {
  const link = linkOf(shared, vscode.env.uriScheme);
  if (link) {
    await vscode.env.clipboard.writeText(link);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Copied a link that opens this explanation.'), 4000);
    return;
  }
  const { spec, view } = shared;
  await offerFile(() => `${JSON.stringify({ spec, view }, null, 2)}\n`);
}

/** Says that an explanation is too large for a link, and saves it as a file if the reader agrees. */
export async function offerFile(content: () => string | Uint8Array): Promise<void> {
  const save = vscode.l10n.t('Save as File…');
  const message = vscode.l10n.t('This is too large for a link ({0} characters at most).', linkLimit);
  if ((await vscode.window.showWarningMessage(message, save)) !== save) return;
  await saveContent({ type: 'save', name: 'explanation.attention.json', content: content() });
}

/** The spec and view in a link, or problems. A link may come from anyone, so every field is validated, and nothing in it is executed or opened. */
export function readLink(uri: Pick<vscode.Uri, 'path' | 'query'>): Result<SpecText & { readonly packed: string }> {
  if (uri.path !== path) return refuse(vscode.l10n.t('{0} is not known; {1} is', shortened(uri.path), path));
  if (uri.query.length > linkLimit)
    return refuse(vscode.l10n.t('it has {0} characters, the limit is {1}', uri.query.length, linkLimit));
  const fields = new Map(uri.query.split('&').map((field) => [field.slice(0, 2), field.slice(2)] as const));
  const [version, packed] = [fields.get('v=') ?? '', fields.get('z=') ?? ''];
  if (version !== '1')
    return refuse(
      vscode.l10n.t('version {0} is not known; 1 is', shortened(version)),
      vscode.l10n.t('Update the extension.'),
    );
  const text = unpack(packed);
  if (text === undefined) return refuse(vscode.l10n.t('it is damaged'), vscode.l10n.t('Copy the link again.'));
  const read = specFromJson(text);
  if (!read) return refuse(vscode.l10n.t('it holds no spec'));
  // Ranges are left out: they would be offsets in the decompressed text, which the reader cannot see.
  return read.ok ? ok({ ...read.value, packed }) : fail(...read.problems.map(({ range: _, ...rest }) => rest));
}

function refuse(message: string, hint?: string): Result<never> {
  const problem: Problem = { code: 'link', message, ...(hint === undefined ? {} : { hint }) };
  return fail(problem);
}

const shortened = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '');

/** Compressed bytes that are inflated at once, so that the limit is checked in between. Deflate expands a byte to at most 1032. */
const chunkSize = 256;

/** Decodes and decompresses a link's text. Undefined if it is damaged or exceeds the limit. */
function unpack(packed: string): string | undefined {
  if (!/^[\w-]+$/.test(packed)) return undefined;
  const state = { parts: [] as Uint8Array[], length: 0, ended: false };
  try {
    const bytes = Uint8Array.from(atob(packed.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    const stream = new Inflate((data, last) => {
      state.parts.push(data);
      state.length += data.length;
      state.ended ||= last;
    });
    for (let at = 0; at < bytes.length && state.length <= byteLimit; at += chunkSize)
      stream.push(bytes.subarray(at, at + chunkSize), at + chunkSize >= bytes.length);
    const all = joined(state.parts, state.length);
    return state.ended && all.length <= byteLimit ? new TextDecoder('utf-8', { fatal: true }).decode(all) : undefined;
  } catch {
    return undefined;
  }
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const all = new Uint8Array(length);
  parts.reduce((at, bytes) => (all.set(bytes, at), at + bytes.length), 0);
  return all;
}
