// Stands in for the native module @vscode/spdlog in the VS Code that the tests run: appends to the same files, without
// its rotation, so that no compiler is needed. Log channels (and "Show Log") read these files.
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

export const version = 0;
const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
let everyLevel = 2;

export class Logger {
  #file;
  #level = everyLevel;
  #plain = false;

  constructor(_type, _name, file) {
    mkdirSync(dirname(file), { recursive: true });
    this.#file = file;
  }
  #write(level, message) {
    if (level < this.#level) return;
    const time = new Date().toISOString().slice(0, -1).replace('T', ' ');
    appendFileSync(this.#file, this.#plain ? message : `${time} [${names[level]}] ${message}\n`);
  }
  trace(message) {
    this.#write(0, message);
  }
  debug(message) {
    this.#write(1, message);
  }
  info(message) {
    this.#write(2, message);
  }
  warn(message) {
    this.#write(3, message);
  }
  error(message) {
    this.#write(4, message);
  }
  critical(message) {
    this.#write(5, message);
  }
  getLevel() {
    return this.#level;
  }
  setLevel(level) {
    this.#level = level;
  }
  clearFormatters() {
    this.#plain = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

export function setLevel(level) {
  everyLevel = level;
}

export function setFlushOn() {}

export async function createRotatingLogger(name, file) {
  return new Logger('rotating', name, file);
}

export const createAsyncRotatingLogger = createRotatingLogger;
