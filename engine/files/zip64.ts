import { t, fail, ok, type Result } from '../text';
import { problemAt, readBytes, viewOf, type ByteSource } from './source';

/** The list of members of a zip file. */
export interface Directory {
  readonly at: number;
  readonly length: number;
  readonly count: number;
  /** Offset of the record that says all this. */
  readonly endAt: number;
}

const endSignature = 0x06064b50;
const locatorSignature = 0x07064b50;
const endLength = 56;
const locatorLength = 20;
/** In 32 bits: the number stands elsewhere, in 64. */
const wide = 0xffffffff;

/** A number of 64 bits; more than float64 holds is more than any file has, and stays so. */
const long = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * 4294967296;

/** The end record of a zip64 file (APPNOTE 4.3.14), by its locator right before the other end record; undefined where none is. */
export async function readWideEnd(source: ByteSource, endAt: number): Promise<Result<Directory> | undefined> {
  const locatorAt = endAt - locatorLength;
  if (locatorAt < endLength) return undefined;
  const locator = await readBytes(source, locatorAt, endAt, t('the place of the zip64 record'));
  if (!locator.ok) return locator;
  const place = viewOf(locator.value);
  if (place.getUint32(0, true) !== locatorSignature) return undefined;
  const at = long(place, 8);
  const wrong = (message: string) => fail(problemAt('zip64', locatorAt, message));
  if (at > locatorAt - endLength) return wrong(t('the zip64 record should stand before this, not at {0}', at));
  const bytes = await readBytes(source, at, at + endLength, t('the zip64 record'));
  if (!bytes.ok) return bytes;
  const view = viewOf(bytes.value);
  if (view.getUint32(0, true) !== endSignature || at + 12 + long(view, 4) !== locatorAt)
    return wrong(t('the zip64 record should stand at {0} and end here', at));
  const count = long(view, 32);
  const several = view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0 || long(view, 24) !== count;
  if (several || place.getUint32(16, true) > 1) return wrong(t('the zip file is one of several'));
  return ok({ at: long(view, 48), length: long(view, 40), count, endAt: at });
}

type Places = readonly [size: number, packed: number, at: number];

/**
 * The sizes and the offset of a member, where they do not fit into 32 bits from its zip64 field (APPNOTE 4.5.3), which has
 * only those that do not, in this order; undefined where the field has them not.
 */
export function widened(extra: Uint8Array, places: Places): Places | undefined {
  if (!places.includes(wide)) return places;
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= view.byteLength; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const end = at + 4 + view.getUint16(at + 2, true);
    return end <= view.byteLength ? widenedBy(view, at + 4, end, places) : undefined;
  }
  return undefined;
}

function widenedBy(view: DataView, start: number, end: number, [size, packed, local]: Places): Places | undefined {
  let at = start;
  const next = (n: number): number => {
    if (n !== wide) return n;
    at += 8;
    return at <= end ? long(view, at - 8) : NaN;
  };
  const all: Places = [next(size), next(packed), next(local)];
  return all.every(Number.isSafeInteger) ? all : undefined;
}
