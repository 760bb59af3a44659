/** `import` of libraries that are known, of files that were handed over, of what is not known. */
import { t } from '../../text';
import { at, unknown, type Machine, type Frame, type ModuleValue, type Run, type Value } from '../machine';
import type { tree } from '../syntax';
import { attribute } from './attributes';
import { bind } from './frames';

/** A library goes before a file of its name: `d2l/torch.py` imports PyTorch, not itself. */
export function* moduleOf(m: Machine, name: string): Run<Value> {
  const known = m.modules.get(name);
  if (known) return known;
  // A repository that is such a package itself has it as files.
  const own = asFiles.test(name) ? yield* m.evaluator.importFile(m, name) : undefined;
  if (own) return own;
  if (m.isLibrary(name)) {
    const module: ModuleValue = { kind: 'module', name: m.alias(name) };
    m.modules.set(name, module);
    return module;
  }
  const read = yield* m.evaluator.importFile(m, name);
  if (read) return read;
  const [library = name] = name.split('.');
  return { ...unknown(m, t('{0} is not known', name)), library };
}

const asFiles = /^timm\b/;

export function* importNames(m: Machine, node: tree.Import, frame: Frame): Run<void> {
  for (const { name, asname } of node.names) {
    at(m, frame.source, node);
    // `import a.b` binds a, `import a.b as c` binds a.b.
    const [top = name] = name.split('.');
    bind(m, frame, asname ?? top, yield* moduleOf(m, asname ? name : top));
  }
}

export function* importFrom(m: Machine, node: tree.ImportFrom, frame: Frame): Run<void> {
  at(m, frame.source, node);
  const name = fromProgram(m, node.level ?? 0, node.module ?? '');
  if (name === '__future__') return;
  const module = yield* moduleOf(m, name);
  for (const alias of node.names) {
    if (alias.name === '*') importAll(m, frame, module, name);
    else
      bind(
        m,
        frame,
        alias.asname ?? alias.name,
        (yield* fileIn(m, module, name, alias.name)) ?? (yield* memberOf(m, module, alias.name)),
      );
  }
}

/**
 * The name of a module as the program would import it: what an imported file names relative to itself lies beside that file. `.attention` of
 * `model.layers` is `model.attention`; of the package `model` it is `model.attention` too.
 */
function fromProgram({ importing }: Machine, level: number, module: string): string {
  if (level === 0 || !importing) return `${'.'.repeat(level)}${module}`;
  const dots = /^\.*/.exec(importing.name)?.[0] ?? '';
  const parts = importing.name.slice(dots.length).split('.').filter(Boolean);
  const up = importing.isPackage ? level - 1 : level;
  const kept = parts.slice(0, Math.max(0, parts.length - up));
  const more = '.'.repeat(Math.max(0, up - parts.length));
  return `${dots}${more}${[...kept, ...(module ? [module] : [])].join('.')}`;
}

/** `from package import module`: a file of its own, which the package need not name. */
function* fileIn(m: Machine, module: Value, from: string, name: string): Run<Value | undefined> {
  const isOwn =
    /^[a-z_\d]+$/.test(name) &&
    (module.kind === 'unknown' || (module.kind === 'module' && module.names && !module.names.has(name)));
  return isOwn ? yield* m.evaluator.importFile(m, `${from}${/[^.]$/.test(from) ? '.' : ''}${name}`) : undefined;
}

function* memberOf(m: Machine, module: Value, name: string): Run<Value> {
  const found = yield* attribute(m, module, name);
  if (found) return found;
  // A library has more than is known of it, and of a file not every line may have been followed.
  return unknown(m, t('{0} is not known', module.kind === 'module' ? `${module.name}.${name}` : name));
}

function importAll(m: Machine, frame: Frame, module: Value, from: string): void {
  if (module.kind === 'unknown' || (module.kind === 'module' && !module.names)) m.star ??= from;
  if (module.kind === 'module' && module.names)
    for (const [name, value] of module.names) if (!name.startsWith('_')) bind(m, frame, name, value);
  if (module.kind === 'module' && !module.names)
    for (const [name, value] of m.members(module.name)) bind(m, frame, name, value);
}

/** Names that imports anywhere in a piece of syntax bind. */
export function importedNames(body: unknown, into: Set<string>): void {
  if (typeof body !== 'object' || body === null) return;
  if (Array.isArray(body)) {
    for (const part of body) importedNames(part, into);
    return;
  }
  const { nodeType, names } = body as { nodeType?: string; names?: readonly tree.Alias[] };
  if (nodeType === 'Import' || nodeType === 'ImportFrom')
    for (const { name, asname } of names ?? []) into.add(asname ?? name.split('.')[0] ?? name);
  else for (const part of Object.values(body)) importedNames(part, into);
}
