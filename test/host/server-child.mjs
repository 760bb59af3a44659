// Runs VS Code's server in this process, and ends it with the process that started it, however that one ended: its end
// of our standard input closes even when it is killed.
import { pathToFileURL } from 'node:url';

process.stdin.on('end', () => process.exit()).resume();
const [, , entry, ...args] = process.argv;
process.argv = [process.argv[0], entry, ...args];
await import(pathToFileURL(entry).href);
