import { t, fail, ok, type Result } from '../text';
import { problemAt, readBytes, viewOf, type ByteSource } from './source';

/** The central directory of a zip file. */
export interface Directory {
  readonly at: number;
  readonly length: number;
  readonly count: number;
  /** Offset of the record with this information. */
  readonly endAt: number;
}

const endSignature = 0x06064b50;
const locatorSignature = 0x07064b50;
const endLength = 56;
const locatorLength = 20;
/** A 32-bit field with this value means that the number is in a 64-bit field elsewhere. */
const elsewhere32 = 0xffffffff;

/** A 64-bit number; it is rounded above 2^53, which exceeds any file's size. */
const uint64 = (view: DataView, at: number): number =>
  view.getUint32(at, true) + view.getUint32(at + 4, true) * 4294967296;

/** Reads the zip64 end record (APPNOTE 4.3.14), found by its locator just before the other end record; undefined if there is none. */
export async function readZip64End(source: ByteSource, endAt: number): Promise<Result<Directory> | undefined> {
  const locatorAt = endAt - locatorLength;
  if (locatorAt < endLength) return undefined;
  const locator = await readBytes(source, locatorAt, endAt, t('the place of the zip64 record'));
  if (!locator.ok) return locator;
  const place = viewOf(locator.value);
  if (place.getUint32(0, true) !== locatorSignature) return undefined;
  const at = uint64(place, 8);
  const wrong = (message: string) => fail(problemAt('zip64', locatorAt, message));
  if (at > locatorAt - endLength) return wrong(t('the zip64 record should stand before this, not at {0}', at));
  const bytes = await readBytes(source, at, at + endLength, t('the zip64 record'));
  if (!bytes.ok) return bytes;
  const view = viewOf(bytes.value);
  if (view.getUint32(0, true) !== endSignature || at + 12 + uint64(view, 4) !== locatorAt)
    return wrong(t('the zip64 record should stand at {0} and end here', at));
  const count = uint64(view, 32);
  const several = view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0 || uint64(view, 24) !== count;
  if (several || place.getUint32(16, true) > 1) return wrong(t('the zip file is one of several'));
  return ok({ at: uint64(view, 48), length: uint64(view, 40), count, endAt: at });
}

type Places = readonly [size: number, packed: number, at: number];

/**
 * The sizes and offset of a member. Those that do not fit into 32 bits come from its zip64 extra field (APPNOTE 4.5.3), which contains only
 * those, in this order. Undefined if the field lacks them.
 */
export function zip64Sizes(extra: Uint8Array, places: Places): Places | undefined {
  if (!places.includes(elsewhere32)) return places;
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= view.byteLength; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const end = at + 4 + view.getUint16(at + 2, true);
    return end <= view.byteLength ? zip64SizesIn(view, at + 4, end, places) : undefined;
  }
  return undefined;
}

function zip64SizesIn(view: DataView, start: number, end: number, [size, packed, local]: Places): Places | undefined {
  let at = start;
  const next = (n: number): number => {
    if (n !== elsewhere32) return n;
    at += 8;
    return at <= end ? uint64(view, at - 8) : NaN;
  };
  const all: Places = [next(size), next(packed), next(local)];
  return all.every(Number.isSafeInteger) ? all : undefined;
}
