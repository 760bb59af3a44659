// Writes what the extension evaluates in a stopped program, for test/reference/live_real.py, which evaluates it where there is a graphics card:
// `npx tsx test/precision/live-calls.ts > calls.json`.
import { bytesCall, readerCall } from '../../extension/live/expression';

const tensors = ['f32', 'f64', 'f16', 'bf16', 'e4m3', 'e5m2', 'i64', 'i32', 'i16', 'i8', 'u8', 'flags', 'turned', 'strided', 'parameter', 'inference', 'queued', 'scalar', 'empty', 'large', 'expanded', 'negated']; // prettier-ignore

console.log(
  JSON.stringify({
    describe: readerCall('describe', tensors),
    forty: readerCall(
      'describe',
      Array.from({ length: 40 }, (_, i) => `name_${i}`),
    ),
    bytes: Object.fromEntries(tensors.map((name) => [name, bytesCall({ path: name }, [], 0, 65536)])),
    slice: bytesCall({ path: 'large' }, [0, 3, [0, 256], [0, 64]], 0, 16384),
    tail: bytesCall({ path: 'turned' }, [], 1000, 500),
    graph: { describe: readerCall('describe', ['f32']), bytes: bytesCall({ path: 'f32' }, [], 0, 64) },
  }),
);
