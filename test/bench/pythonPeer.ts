import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export interface PythonPeer {
  /** The line that the program prints once it has computed for the first time. */
  readonly version: string;
  /** Lets it compute once more. A run sends a line and waits for the answer, which costs about 0.1 ms of its time. */
  run(): Promise<void>;
  /** A matrix that it has written beside its operands. */
  read(name: string): Float32Array;
  end(): void;
}

export const pythonName = (): string => process.env['EXPLAIN_ATTENTION_PYTHON'] ?? 'python3';

/**
 * Starts a program that reads its operands, float32 in row-major order, as `NAME.f32` from the folder that is its last argument. Undefined if it ends
 * without a line, as without the library that it imports.
 */
export async function startPython(
  args: readonly string[],
  folder: string,
  operands: Readonly<Record<string, Float32Array>>,
  env: NodeJS.ProcessEnv = {},
): Promise<PythonPeer | undefined> {
  mkdirSync(folder, { recursive: true });
  for (const [name, data] of Object.entries(operands)) writeFileSync(join(folder, `${name}.f32`), data);
  const child = spawn(pythonName(), [...args, folder], { env: { ...process.env, ...env } });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.on('error', () => child.stdout.push(null));
  child.stdin.on('error', () => undefined);
  const first = await lines.next();
  if (first.done) return undefined;
  return {
    version: String(first.value),
    run: async () => {
      child.stdin.write('\n');
      await lines.next();
    },
    read(name) {
      const bytes = readFileSync(join(folder, `${name}.f32`));
      return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    },
    end: () => void child.kill(),
  };
}
