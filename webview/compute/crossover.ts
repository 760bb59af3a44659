/*
 * The number of multiply-adds from which this machine's GPU is faster than WebAssembly. The preview's worker measures it once; the page caches it,
 * also in localStorage if there is one. It only decides which of two previews is drawn, never a digit.
 */

const key = 'explainAttention.gpuCrossover';
/** Milliseconds until it is measured again, since drivers and power settings change. */
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
    // Storage is blocked: the next page measures again.
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
