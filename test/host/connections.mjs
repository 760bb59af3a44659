// Loaded into every Node process of the VS Code under test: writes down each network connection that it opens, so that
// a test can assert that the extension opened none. Sockets within the machine's own VS Code are not of interest.
import { appendFileSync } from 'node:fs';
import net from 'node:net';

const file = process.env.EXPLAIN_ATTENTION_CONNECTIONS;
const name = process.argv.find((arg) => arg.startsWith('--type='))?.slice('--type='.length) ?? 'server';

function target(args) {
  const options = Array.isArray(args[0]) ? args[0][0] : args[0];
  if (typeof options === 'number') return { host: typeof args[1] === 'string' ? args[1] : 'localhost', port: options };
  return typeof options === 'object' && options !== null && !options.path ? options : undefined;
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const to = target(args);
  if (file && to?.port) {
    const stack = new Error().stack?.split('\n').slice(2).join('\n') ?? '';
    const line = { process: name, target: `${to.host ?? 'localhost'}:${to.port}`, stack };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
  return connect.apply(this, args);
};
