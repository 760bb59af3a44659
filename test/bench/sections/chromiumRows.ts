// A worker of the page of chromiumPage.ts, for rows: what webview/compute/helper.ts asks of its own.
import { kernels } from '../../../engine/backend/wasm';
import { computeRows, type RowSpan, type RowWork } from '../../../engine/backend/wasm/rows';

export type Told = { readonly begin: RowWork } | { readonly rows: RowSpan; readonly id: number };

const own = kernels();
let work: RowWork | undefined;

addEventListener('message', ({ data }: MessageEvent<Told>) => {
  if ('begin' in data) work = data.begin;
  else if (work) {
    const values = computeRows(work, own, data.rows);
    postMessage({ id: data.id, values }, { transfer: [...values.values()].map(({ buffer }) => buffer as ArrayBuffer) });
  }
});
