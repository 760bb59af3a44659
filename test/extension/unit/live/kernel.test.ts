// Variables of a notebook's kernel: a real ipykernel behind a double of Jupyter's public interface, with its consent, its denial and its dead kernels.
import assert from 'node:assert/strict';
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { root } from '../../../host/paths';
import { pythonOrSkip } from '../../../reference/python';
import { extensions, loading } from './vscode';

/* eslint-disable @typescript-eslint/no-require-imports */
const { kernelOf, variableOf } = loading(() => require('../../../../extension/live/kernel') as typeof import('../../../../extension/live/kernel')); // prettier-ignore
const { describeTarget, describeTensors, readNumbers } = loading(() => require('../../../../extension/live/read') as typeof import('../../../../extension/live/read')); // prettier-ignore
/* eslint-enable @typescript-eslint/no-require-imports */

interface Said {
  readonly id?: number;
  readonly output?: Record<string, string>;
  readonly done?: boolean;
  readonly ready?: boolean;
  readonly status?: string;
}

/** As Jupyter's `Kernel`. */
class Kernel {
  language = 'python';
  status = 'idle';
  allowed: boolean | undefined;
  asked = 0;
  private last = 0;
  private readonly heard = new Map<number, (said: Said) => void>();
  private readonly listening = new Set<(status: string) => void>();
  onDidChangeStatus = (listener: (status: string) => void) => {
    this.listening.add(listener);
    return { dispose: () => this.listening.delete(listener) };
  };
  get listeners(): number {
    return this.listening.size;
  }
  constructor(private readonly child: ChildProcessByStdio<Writable, Readable, null>, lines: AsyncIterable<string>) {
    void (async () => {
      for await (const line of lines) {
        const said = JSON.parse(line) as Said;
        this.heard.get(said.id ?? -1)?.(said);
        if (said.status !== undefined) {
          this.status = said.status;
          for (const listener of this.listening) listener(said.status);
        }
      }
    })();
  } // prettier-ignore

  async *executeCode(code: string, _token: unknown, history = false) {
    // The first request asks the reader; a refusal is an exception.
    this.asked++;
    if (this.allowed === false) throw new Error('KernelAPIAccessRevoked');
    if (this.status === 'dead') throw new Error('Kernel is dead');
    const id = ++this.last;
    const queue: Said[] = [];
    let wake = (): void => undefined;
    this.heard.set(id, (said) => (queue.push(said), wake()));
    this.child.stdin.write(`${JSON.stringify({ id, code, history })}\n`);
    for (;;) {
      for (let one = queue.shift(); one; one = queue.shift()) {
        if (one.done) return;
        yield { items: Object.entries(one.output ?? {}).map(([mime, text]) => ({ mime, data: new TextEncoder().encode(text) })) }; // prettier-ignore
      }
      await new Promise<void>((done) => (wake = done));
    }
  }
}

const notebook = { toString: () => 'file:///a.ipynb' } as never;
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('variables of a kernel', function () {
  this.timeout(240_000);
  let child: ChildProcessByStdio<Writable, Readable, null> | undefined;
  let kernel: Kernel;
  let started = false;
  const run = async (code: string): Promise<string> => {
    let text = '';
    for await (const { items } of kernel.executeCode(code, undefined, true)) for (const { data } of items) text += new TextDecoder().decode(data); // prettier-ignore
    return text;
  };

  before(async function () {
    const python = pythonOrSkip(this, 'ipykernel', 'jupyter_client', 'torch', 'numpy');
    child = spawn(python, [join(root, 'test/host/doubles/jupyter/kernel.py')], { stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    assert.ok((JSON.parse((await lines.next()).value as string) as Said).ready);
    kernel = new Kernel(child, { [Symbol.asyncIterator]: () => lines });
    extensions.set('ms-toolsai.jupyter', {
      kernels: { getKernel: () => Promise.resolve(started ? kernel : undefined) },
    });
    await run('import torch, hashlib\nQ = torch.randn(3, 4, requires_grad=True)\nB = torch.randn(2, 70000).to(torch.bfloat16)\nx = 3'); // prettier-ignore
  });
  after(() => {
    child?.stdin.write('{"kill": true}\n');
    extensions.clear();
  });

  it('says so where no kernel was started, and without Jupyter', async () => {
    const none = await kernelOf(notebook);
    assert.match('why' in none ? none.why : '', /no running kernel: run a cell first/);
    const kept = extensions.get('ms-toolsai.jupyter');
    extensions.clear();
    const missing = await kernelOf(notebook);
    assert.match('why' in missing ? missing.why : '', /Jupyter extension is not installed/);
    extensions.set('ms-toolsai.jupyter', kept);
    started = true;
  });

  it('have the bytes that the kernel has, and leave nothing there', async () => {
    const state = 'print(sorted((k, id(v)) for k, v in globals().items() if not k.startswith("_i") and k not in ("_dh",)), Q._version, Q.grad, len(In))'; // prettier-ignore
    const before = await run(state);
    const process = await kernelOf(notebook);
    assert.ok(!('why' in process));
    for (const [name, type] of [
      ['Q', 'int32'],
      ['B', 'int16'],
    ] as const) {
      const info = await describeTarget(process, { path: name });
      assert.ok(info.ok && info.value.kind === 'tensor');
      const read = await readNumbers(process, { path: name }, info.value);
      assert.ok(read.ok);
      const hash = await run(
        `print(hashlib.sha256(${name}.detach().view(torch.${type}).numpy().tobytes()).hexdigest())`,
      );
      assert.equal(sha(read.value.bytes), hash.trim(), name);
    }
    const all = await describeTensors(process);
    assert.deepEqual(all.ok && [...all.value.keys()].filter((name) => name.length === 1).sort(), ['B', 'Q']);
    const after = await run(state);
    // Our own two runs of print count among the inputs.
    assert.equal(after.replace(/\d+\s*$/, ''), before.replace(/\d+\s*$/, ''));
  });

  it('give what the kernel says where a name is unknown or a selection raises', async () => {
    const process = await kernelOf(notebook);
    assert.ok(!('why' in process));
    const missing = await describeTarget(process, { path: 'nowhere' });
    assert.ok(missing.ok && missing.value.kind === 'missing');
    const raised = await describeTarget(process, { expression: 'Q[7]' });
    assert.match(raised.ok ? '' : (raised.problems[0]?.message ?? ''), /IndexError: index 7 is out of bounds/);
  });

  it('say that the kernel has ended where it dies while it is read, and wait no longer', async () => {
    const pid = Number(await run('import os; print(os.getpid())'));
    const process_ = await kernelOf(notebook);
    assert.ok(!('why' in process_));
    const info = await describeTarget(process_, { path: 'B' });
    assert.ok(info.ok && info.value.kind === 'tensor');
    let asked = 0;
    const dying = {
      evaluate(expression: string): Promise<string> {
        // 140,000 numbers are two requests; the kernel stands still at the second, and dies with it.
        if (++asked === 2) process.kill(pid, 'SIGSTOP');
        const answer = process_.evaluate(expression);
        if (asked === 2) setTimeout(() => process.kill(pid, 'SIGKILL'), 300);
        return answer;
      },
    };
    const read = await readNumbers(dying, { path: 'B' }, info.value);
    assert.equal(asked, 2);
    assert.ok(!read.ok);
    assert.match(read.problems[0]?.message ?? '', /the process gave no value: The kernel of this notebook has ended/);
    assert.equal(kernel.listeners, 0);
    kernel.status = 'idle';
  }).timeout(60_000);

  it('are refused in words where the reader denies it, and where the kernel is dead', async () => {
    kernel.allowed = false;
    const process = await kernelOf(notebook);
    assert.ok(!('why' in process));
    const denied = await describeTarget(process, { path: 'Q' });
    assert.match(
      denied.ok ? '' : (denied.problems[0]?.message ?? ''),
      /the process gave no value: KernelAPIAccessRevoked/,
    );
    kernel.status = 'dead';
    const dead = await kernelOf(notebook);
    assert.match('why' in dead ? dead.why : '', /has ended: restart it/);
  });

  it('are asked for by their names alone from the list of variables', () => {
    assert.deepEqual(variableOf({ name: 'Q', type: 'Tensor' }), { name: 'Q' });
    assert.equal(variableOf({ name: '__import__("os")' }), undefined);
    assert.equal(variableOf(undefined), undefined);
  });
});
