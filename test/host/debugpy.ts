// A Python program under debugpy, driven by the debug adapter protocol over the adapter's pipes: what VS Code does, without VS Code.
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

type Fields = Record<string, unknown>;

interface Message {
  readonly type: 'response' | 'event' | 'request';
  readonly seq: number;
  readonly request_seq?: number;
  readonly command?: string;
  readonly event?: string;
  readonly success?: boolean;
  readonly message?: string;
  readonly body?: Fields;
}

export interface Stop {
  readonly threadId: number;
  readonly frameId: number;
  readonly line: number;
  readonly name: string;
}

/** A program that is stopped. */
export interface Debuggee {
  readonly pid: number;
  stop: Stop;
  /** The frame that called the one at the top. */
  callerFrame(): Promise<number>;
  /** What the adapter answers to `evaluate`, as an extension has it from `customRequest`. */
  evaluate(expression: string, frameId?: number): Promise<string>;
  /** Goes on by one line. */
  next(): Promise<Stop>;
  close(): Promise<void>;
}

/** Starts a program and waits until it stops in a line. */
export async function debugProgram(
  python: string,
  program: string,
  line: number,
  args: readonly string[] = [],
): Promise<Debuggee> {
  const child = spawn(python, ['-m', 'debugpy.adapter'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const wire = createWire(child);
  await wire.request('initialize', { adapterID: 'python', pathFormat: 'path', linesStartAt1: true, columnsStartAt1: true }); // prettier-ignore
  const started = wire.event('process');
  const launched = wire.request('launch', {
    program,
    args,
    python: [python],
    console: 'internalConsole',
    justMyCode: true,
  });
  await wire.event('initialized');
  await wire.request('setBreakpoints', { source: { path: program }, breakpoints: [{ line }] });
  const stopped = wire.event('stopped');
  await wire.request('configurationDone', {});
  await launched;
  const pid = Number((await started)['systemProcessId']);
  const place = async (event: Fields): Promise<Stop> => {
    const threadId = Number(event['threadId']);
    const frames = await framesOf(threadId);
    const top = frames[0] ?? {};
    return { threadId, frameId: Number(top['id']), line: Number(top['line']), name: String(top['name']) };
  };
  const framesOf = async (threadId: number): Promise<readonly Fields[]> =>
    (await wire.request('stackTrace', { threadId }))['stackFrames'] as readonly Fields[];
  const debuggee: Debuggee = {
    pid,
    stop: await place(await stopped),
    callerFrame: async () => Number((await framesOf(debuggee.stop.threadId))[1]?.['id']),
    evaluate: async (expression, frameId = debuggee.stop.frameId) =>
      String((await wire.request('evaluate', { expression, frameId, context: 'clipboard' }))['result']),
    async next() {
      const event = wire.event('stopped');
      await wire.request('next', { threadId: debuggee.stop.threadId });
      return (debuggee.stop = await place(await event));
    },
    async close() {
      await Promise.race([
        wire.request('disconnect', { terminateDebuggee: true }).catch(() => undefined),
        new Promise((done) => setTimeout(done, 3000)),
      ]);
      child.kill();
    },
  };
  return debuggee;
}

/** Messages with a header of their length, both ways. */
function createWire(child: ChildProcessByStdio<Writable, Readable, null>) {
  const waiting = new Map<number, { done: (body: Fields) => void; failed: (error: Error) => void }>();
  const heard: Message[] = [];
  const listening: { event: string; done: (body: Fields) => void }[] = [];
  let [last, buffer] = [0, Buffer.alloc(0)];
  const take = (message: Message): void => {
    if (message.type === 'response') {
      const one = waiting.get(message.request_seq ?? -1);
      waiting.delete(message.request_seq ?? -1);
      if (message.success) one?.done(message.body ?? {});
      else one?.failed(new Error(message.message ?? 'refused'));
    } else if (message.type === 'event') {
      const at = listening.findIndex(({ event }) => event === message.event);
      if (at >= 0) listening.splice(at, 1)[0]?.done(message.body ?? {});
      else heard.push(message);
    }
  };
  child.stdout.on('data', (data: Buffer) => {
    buffer = Buffer.concat([buffer, data]);
    for (;;) {
      const header = buffer.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/i.exec(buffer.toString('latin1', 0, Math.max(0, header)))?.[1]);
      if (header < 0 || buffer.length < header + 4 + length) return;
      const text = buffer.toString('utf8', header + 4, header + 4 + length);
      buffer = buffer.subarray(header + 4 + length);
      take(JSON.parse(text) as Message);
    }
  });
  child.on('exit', () => {
    for (const { failed } of waiting.values()) failed(new Error('the adapter ended'));
    waiting.clear();
  });
  return {
    request(command: string, args: Fields): Promise<Fields> {
      const seq = ++last;
      const text = JSON.stringify({ seq, type: 'request', command, arguments: args });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
      return new Promise((done, failed) => waiting.set(seq, { done, failed }));
    },
    /** The next event of a name, or one that came and was not waited for. */
    event(event: string): Promise<Fields> {
      const at = heard.findIndex((one) => one.event === event);
      if (at >= 0) return Promise.resolve(heard.splice(at, 1)[0]?.body ?? {});
      return new Promise((done) => listening.push({ event, done }));
    },
  };
}
