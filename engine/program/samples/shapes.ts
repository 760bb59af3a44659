/**
 * Shapes for lines that no run came to: methods that nothing calls, definitions beside the attention, and ways through the code that a switch has to
 * be on for. Each run has to come to its end in Python's eyes; nothing of it is kept but the shapes of places that had none.
 */
import { saysSomething, bare, isOwn, type Readings } from '../evaluate';
import type { Machine, Run } from '../machine';
import type { tree, Unit } from '../syntax';
import { methodNamed, parametersOf, type Budget, type Root } from './attempt';
import {
  forcedBy,
  isRead,
  isSwitched,
  unreadBranches,
  withMakers,
  type Branch,
  type Setting,
  type Settings,
} from './branches';
import { searched } from './search';
import type { Choice } from './values';
import { wordsIn } from './words';

/** A definition with what is known of it so far. */
export interface Sampled {
  readonly root: Root;
  /** The method and the sizes with which it ran. */
  readonly worked?: { readonly root: Root; readonly choice: Choice };
  /** Nothing was found with which it runs. */
  readonly refused?: boolean;
}

/** Python's steps for all of it. */
const shapeSteps = 30_000;
/** For definitions beside the attention, as a loop of training is one. */
const stepsBeside = 8_000;
/** Attempts for one method; for one way through the code; ways of one definition. */
const [attemptsEach, attemptsPerWay, mostWays] = [8, 4, 12];
/** Methods of one class that are run for their shapes. */
const mostMethods = 8;

export function* shapesOf(m: Machine, units: readonly Unit[], readings: Readings, all: readonly Sampled[]): Run<void> {
  const budget: Budget = { steps: shapeSteps };
  const beside: Budget = { steps: stepsBeside };
  const bodies = new Map(units.map(({ source, body }) => [source.base, body]));
  const attends = (one: Sampled): boolean => one.worked !== undefined || one.refused === true;
  for (const one of [...all.filter(attends), ...all.filter((other) => !attends(other))]) {
    if (!attends(one)) budget.steps = Math.min(budget.steps, beside.steps);
    const before = budget.steps;
    const body = bodies.get(one.root.range.start) ?? [];
    const worked = [...(one.worked ? [one.worked] : []), ...(yield* methodsRun(m, readings, one, budget))];
    for (const run of worked) yield* waysTaken(m, readings, body, run, budget);
    if (!attends(one)) beside.steps -= before - budget.steps;
    if (budget.steps <= 0) return;
  }
}

type Ran = NonNullable<Sampled['worked']>;

/** Runs what is still without shapes. */
function* methodsRun(
  m: Machine,
  readings: Readings,
  { root, worked, refused }: Sampled,
  budget: Budget,
): Run<readonly Ran[]> {
  const found: Ran[] = [];
  for (const one of runnable(root)) {
    if (one.method === worked?.root.method && worked) continue;
    const code = one.method ?? one.root.value;
    if (code.kind !== 'function' || !Array.isArray(code.body) || (refused && !one.method) || budget.steps <= 0)
      continue;
    if (!lacksShapes(m, code.body as readonly tree.Statement[])) {
      if (!worked) found.push({ root: one.root, choice: usualChoice });
      continue;
    }
    const start = worked?.choice ?? usualChoice;
    const { found: end, choice } = yield* searched(m, readings, one.root, attemptsEach, budget, start, true);
    if ('attentions' in end) found.push({ root: one.root, choice });
  }
  return found;
}

const usualChoice: Choice = { sizes: {}, forms: {} };

interface Runnable {
  readonly root: Root;
  readonly method?: Root['method'];
}

/** A function; of a class its methods, `forward` first. */
function runnable(root: Root): readonly Runnable[] {
  if (root.value.kind === 'function') return [{ root }];
  const methods = [...root.value.attributes.values()].filter(isOwn).filter(({ name }) => name !== '__init__');
  const isCalled = (name: string): boolean => name === 'forward' || name === '__call__' || name === 'call';
  const ordered = [...methods.filter(({ name }) => isCalled(name)), ...methods.filter(({ name }) => !isCalled(name))];
  const free = [...root.value.attributes.values()]
    .filter(({ kind }) => kind === 'static')
    .map(bare)
    .filter(isOwn);
  return [
    ...ordered.map((method) => ({ root: { ...root, method }, method })),
    ...free.map((value) => ({ root: { ...root, value } })),
  ].slice(0, mostMethods);
}

/** Whether a name that is bound in it, or what it returns, has nothing to say; what only some ways reach is seen to later. */
function lacksShapes(m: Machine, body: readonly tree.Statement[], onAWay = false): boolean {
  return body.some((statement) => {
    if (statement.nodeType === 'FunctionDef' || statement.nodeType === 'ClassDef') return false;
    if ('body' in statement) return lacksShapes(m, statement.body, onAWay || statement.nodeType === 'If');
    const place = placeOf(statement);
    const at = place && m.seen?.get(place);
    return at ? !saysSomething(at.snapshot) : place !== undefined && !onAWay;
  });
}

/** What of a statement has a shape, if it has one. */
function placeOf(statement: tree.Statement): tree.Expression | undefined {
  const place = statement.nodeType === 'Assign' ? statement.targets[0] : statement.nodeType === 'Return' ? statement.value : undefined; // prettier-ignore
  const isShown = place && !['Tuple', 'Attribute', 'Subscript', 'Constant'].includes(place.nodeType);
  return isShown ? place : undefined;
}

/** Runs a definition again, each time with the switches of a way that was not taken. */
function* waysTaken(
  m: Machine,
  readings: Readings,
  body: readonly tree.Statement[],
  { root, choice }: Ran,
  budget: Budget,
): Run<void> {
  const tried = new Set<readonly tree.Statement[]>();
  const isSeen = (place: object): boolean => {
    const at = m.seen?.get(place);
    return at !== undefined && saysSomething(at.snapshot);
  };
  for (let ways = 0; ways < mostWays && budget.steps > 0; ways++) {
    const next = unreadBranches(body, isSeen).find((branch) => !tried.has(branch.body));
    if (!next) return;
    tried.add(next.body);
    for (const way of waysOf(body, root, choice, next)) {
      yield* searched(m, readings, root, attemptsPerWay, budget, way, true);
      if (isRead(next.body, { isSeen }) || budget.steps <= 0) break;
    }
  }
}

/** By the arguments alone; then at the conditions on the way; then at every condition that asks for the same switches. */
function waysOf(
  body: readonly tree.Statement[],
  root: Root,
  choice: Choice,
  { settings: wanted, path }: Branch,
): readonly Choice[] {
  const settings = settled(wanted, root);
  if (settings.size === 0) return [];
  const own = new Map([...path].filter(([{ test }, holds]) => isSwitched(test, holds)));
  const all = forcedBy(body, settings);
  const made = withMakers(body, settings);
  return [
    ...(made.size > settings.size ? [{ ...choice, settings: made }] : []),
    { ...choice, settings },
    ...(own.size > 0 ? [{ ...choice, settings, forced: own }] : []),
    ...(all.size > own.size ? [{ ...choice, settings, forced: new Map([...all, ...own]) }] : []),
  ];
}

/** With a word that the code has for another word, and without numbers of what is no argument. */
function settled(wanted: Settings, { value, method, text }: Root): Settings {
  const words = wordsIn(text);
  const start = value.kind === 'class' ? methodNamed(value, '__init__') : value;
  const taken = [method, start].flatMap((of) => (of ? parametersOf(of, 0).map(([{ arg }]) => arg) : []));
  return new Map(
    [...wanted].flatMap(([name, setting]): readonly (readonly [string, Setting])[] => {
      if (typeof setting !== 'object' || 'text' in setting) return [[name, setting]];
      if ('number' in setting) return taken.includes(name) ? [[name, setting]] : [];
      const other = words.find(([of, word]) => of === name && !setting.not.includes(word));
      return [[name, { text: other?.[1] ?? 'other' }]];
    }),
  );
}
