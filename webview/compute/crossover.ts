/*
 * From how many multiply-adds this machine's GPU is ahead of WebAssembly: measured once by the preview's worker, and remembered by the
 * page, and beyond it where it has a storage. Only which of two previews is drawn depends on it, never a digit.
 */

const key = 'explainAttention.gpuCrossover';
/** Measured anew after that long: drivers and processors' plans change. */
const lifetime = 90 * 24 * 3600 * 1000;

let known: number | undefined;

export function recallCrossover(now = Date.now()): number | undefined {
  return (known ??= stored(now));
}

export function rememberCrossover(multiplyAdds: number | undefined, now = Date.now()): void {
  if (multiplyAdds === undefined || multiplyAdds === known) return;
  known = multiplyAdds;
  try {
    localStorage.setItem(key, `${multiplyAdds} ${now}`);
  } catch {
    // Refused to this page: it is measured again by the next one.
  }
}

function stored(now: number): number | undefined {
  try {
    const [multiplyAdds, when] = (localStorage.getItem(key) ?? '').split(' ').map(Number);
    const fresh = when !== undefined && now - when < lifetime && when <= now;
    return fresh && multiplyAdds !== undefined && multiplyAdds >= 0 ? multiplyAdds : undefined;
  } catch {
    return undefined;
  }
}
