import { duplicateKey } from '../files';
import { fail, ok, t, type Result } from '../text';

/** What a JSON file holds. Problems, each with the file's name: bytes that are no UTF-8 or no JSON, a key that an object has twice (JSON.parse would keep the last). */
export function jsonIn(file: string, bytes: Uint8Array): Result<unknown> {
  const wrong = (message: string) => fail({ code: 'json', message });
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const json: unknown = JSON.parse(text);
    const twice = duplicateKey(text);
    return twice ? wrong(t('{0}: {1} stands there twice', file, twice.key)) : ok(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return wrong(t('{0} is no JSON: {1}', file, why.slice(0, 120)));
  }
}
