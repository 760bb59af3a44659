#!/usr/bin/env node
// The command line `explain-attention`: the engine in a terminal. The only file of the engine that knows Node.
import { readFileSync } from 'node:fs';
import {
  explainAttention,
  positionAt,
  specFromText,
  traceToJson,
  validateSpec,
  type AttentionSpec,
  type AttentionTrace,
  type Problem,
  type Result,
} from '../index';
import { readArguments, usage, type Arguments } from './arguments';
import { printCell, printStep } from './print';

declare const PACKAGE_VERSION: string;

/** Runs the program; returns its exit status: 0, 1 (bad input) or 2 (usage). */
function main(words: readonly string[]): number {
  const args = readArguments(words);
  if ('usageError' in args) {
    process.stderr.write(`explain-attention: ${args.usageError}\n\n${usage}`);
    return 2;
  }
  if (args.help || args.version) {
    process.stdout.write(args.help ? usage : `${PACKAGE_VERSION}\n`);
    return 0;
  }
  const read = readInput(args);
  if ('usageError' in read) {
    process.stderr.write(`explain-attention: ${read.usageError}\n`);
    return 2;
  }
  const result = explain(args, read.text);
  if (!result.ok) return report(args.input ?? '--text', read.text, result.problems);
  const unknown = unknownStep(args, result.value);
  if (unknown) {
    process.stderr.write(`explain-attention: ${unknown}\n`);
    return 2;
  }
  process.stdout.write(`${output(args, result.value)}\n`);
  report(args.input ?? '--text', read.text, result.value.problems);
  return 0;
}

function readInput(args: Arguments): { text: string } | { usageError: string } {
  if (args.text !== undefined) return { text: args.text };
  try {
    return { text: readFileSync(args.input === '-' ? 0 : (args.input ?? ''), 'utf8') };
  } catch (error) {
    return { usageError: `cannot read ${args.input}: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function explain(args: Arguments, text: string): Result<AttentionTrace> {
  const spec = specOf(text);
  if (!spec.ok) return spec;
  const changed = validateSpec(withFields(spec.value, args.set));
  return changed.ok ? explainAttention(changed.value) : changed;
}

/** A spec as JSON, or literals, or text. */
function specOf(text: string): Result<AttentionSpec> {
  const json = parseJson(text);
  if (typeof json === 'object' && json !== null && 'version' in json) return validateSpec(json);
  const found = specFromText(text);
  return found.ok ? { ok: true, value: found.value.spec } : found;
}

function parseJson(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function withFields(spec: AttentionSpec, set: Arguments['set']): unknown {
  const copy = JSON.parse(JSON.stringify(spec)) as Record<string, unknown>;
  for (const { path, value } of set) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let at = copy;
    for (const key of keys) {
      const next = Object.hasOwn(at, key) ? at[key] : undefined;
      at =
        typeof next === 'object' && next !== null
          ? (next as Record<string, unknown>)
          : ((at[key] = {}) as Record<string, unknown>);
    }
    Object.defineProperty(at, last, { value, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

function unknownStep(args: Arguments, trace: AttentionTrace): string | undefined {
  const known = trace.plan.steps.map((s) => s.id);
  const asked = [...(args.steps ?? []), ...args.cells.map((c) => c.step)];
  const unknown = asked.find((id) => !known.includes(id));
  if (unknown !== undefined) return `no step ${unknown}; the steps are ${known.join(', ')}`;
  const outside = args.cells.find(({ step, index }) => !inside(trace, step, index));
  return (
    outside && `${outside.step}[${outside.index.join(',')}] is outside of ${shapeOf(trace, outside.step).join('×')}`
  );
}

const shapeOf = (trace: AttentionTrace, id: string): readonly number[] =>
  trace.plan.steps.find((s) => s.id === id)?.shape ?? [];

function inside(trace: AttentionTrace, id: string, index: readonly number[]): boolean {
  const shape = shapeOf(trace, id);
  const lead = shape.length - index.length;
  return lead >= 0 && index.every((i, d) => i < (shape[lead + d] ?? 0));
}

function output(args: Arguments, trace: AttentionTrace): string {
  if (args.json) return JSON.stringify(traceToJson(trace));
  const { steps } = trace.plan;
  const wanted = args.steps ? steps.filter((s) => args.steps?.includes(s.id)) : args.cells.length ? [] : steps;
  const parts = wanted.map((step) => printStep(trace, step, args.digits));
  parts.push(...args.cells.map((c) => printCell(trace, c.step, c.index, args.digits)));
  return parts.join('\n\n');
}

/** Each problem on standard error as `file:line:column: message`. */
function report(input: string, text: string, problems: readonly Problem[]): number {
  for (const p of problems) {
    const at = p.range ? positionAt(text, p.range.start) : undefined;
    const where = at ? `${input}:${at.line}:${at.column}: ` : `${input}: `;
    process.stderr.write(`${where}${p.message}${p.hint ? ` (${p.hint})` : ''}\n`);
  }
  return problems.length ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
