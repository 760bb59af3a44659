// Paired timing. Knows the clock and nothing of Node, so that a page can run it as it is.

/** Something that does the work. What it gives is checked once before it is timed, and never again. */
export interface Contender {
  readonly name: string;
  /** Round by round other input, so that a memo cannot live on one text. */
  readonly run: (input: number) => unknown;
  /** What is wrong with a result; undefined when it is right. */
  readonly check: (result: unknown, input: number) => string | undefined;
}

/** One comparison: ours first, then its peers. */
export interface Work {
  readonly name: string;
  /** How much one run works through, for the rate: 0.5 MB. */
  readonly amount: number;
  readonly unit: string;
  /** Inputs that runs take turns with. */
  readonly inputs: number;
  readonly contenders: readonly Contender[];
  /** What is to be said beneath its table, such as peers that did not get so far. */
  readonly notes?: readonly string[];
  /**
   * What the machine can do at most, in 10⁹ units a second, measured before and after each round in place of the probe in JavaScript.
   * A round then counts the least of its runs and not their mean: other work on the machine stops some of them for milliseconds.
   */
  readonly peak?: () => number;
}

export interface Effort {
  readonly rounds: number;
  /** Milliseconds that each contender runs before the first round. */
  readonly warmUp: number;
  /** Milliseconds that a contender runs at least in a round. */
  readonly least: number;
}

export const efforts = {
  full: { rounds: 15, warmUp: 1500, least: 40 },
  short: { rounds: 5, warmUp: 300, least: 15 },
} as const satisfies Record<string, Effort>;

export interface Row {
  readonly name: string;
  /** Milliseconds for one run: median and minimum over the rounds that count. */
  readonly median: number;
  readonly minimum: number;
  /** Amount a second, by the median. */
  readonly rate: number;
  /** Median over the rounds of this contender's time divided by that of the first: above 1, the first is faster. */
  readonly ratio: number;
  /** The least time of this contender divided by the least of the first: what other work on the machine disturbs least. */
  readonly leastRatio: number;
}

export interface Measured {
  readonly name: string;
  readonly unit: string;
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
  /** Rounds that count, of those that ran. */
  readonly kept: number;
  readonly ran: number;
  /** Best probe, in 10⁹ multiply-adds a second: of plain JavaScript, or of the machine (`peak`). */
  readonly probe: number;
  readonly peak: boolean;
}

interface Round {
  readonly probe: number;
  /** Milliseconds a run, by contender. */
  readonly times: readonly number[];
}

/** Checks, warms up, then times all contenders round by round, each round beginning with another one. */
export async function measure(work: Work, effort: Effort): Promise<Measured> {
  const { sound, notes } = await soundOnes(work);
  for (const contender of sound) await repeat(contender, work.inputs, effort.warmUp, 3);
  const rounds: Round[] = [];
  for (let i = 0; i < effort.rounds || (counted(rounds).length < 3 && i < 3 * effort.rounds); i++)
    rounds.push(await round(sound, work, effort.least, i));
  const kept = counted(rounds);
  return {
    name: work.name,
    unit: work.unit,
    rows: sound.map(({ name }, i) => rowOf(name, i, kept, work.amount)),
    peak: work.peak !== undefined,
    notes: [...(work.notes ?? []), ...notes],
    kept: kept.length,
    ran: rounds.length,
    probe: Math.max(...rounds.map(({ probe }) => probe)),
  };
}

/** Those whose results are right for every input; the others with what was wrong. */
async function soundOnes(work: Work): Promise<{ sound: Contender[]; notes: string[] }> {
  const sound: Contender[] = [];
  const notes: string[] = [];
  for (const contender of work.contenders) {
    const wrong = await problemOf(contender, work.inputs);
    if (wrong === undefined) sound.push(contender);
    else notes.push(`${contender.name}: not timed, ${wrong}`);
  }
  const [ours] = work.contenders;
  if (ours && sound[0] !== ours) throw new Error(`${work.name}: ${notes.join('; ')}`);
  return { sound, notes };
}

async function problemOf({ run, check }: Contender, inputs: number): Promise<string | undefined> {
  for (let input = 0; input < inputs; input++) {
    try {
      const wrong = check(await run(input), input);
      if (wrong !== undefined) return wrong;
    } catch (error) {
      return String(error);
    }
  }
  return undefined;
}

async function round(
  contenders: readonly Contender[],
  { inputs, peak }: Work,
  least: number,
  i: number,
): Promise<Round> {
  const probing = peak ?? probe;
  const times = new Array<number>(contenders.length).fill(0);
  const before = probing();
  for (let j = 0; j < contenders.length; j++) {
    const which = (i + j) % contenders.length;
    const contender = contenders[which];
    if (!contender) continue;
    times[which] = peak ? await leastOf(contender, inputs, least, i) : await repeat(contender, inputs, least, 1, i);
  }
  return { probe: Math.min(before, probing()), times };
}

/** Milliseconds a run, over at least `least` milliseconds and `runs` runs, beginning with input `first`. */
async function repeat(contender: Contender, inputs: number, least: number, runs: number, first = 0): Promise<number> {
  const start = performance.now();
  let passed = 0;
  let n = 0;
  while (n < runs || passed < least) {
    const result = contender.run((first + n++) % inputs);
    if (result instanceof Promise) await result;
    passed = performance.now() - start;
  }
  return passed / n;
}

/** Milliseconds of a burst of runs at least, so that the clock's steps do not count: a page's are a tenth of a millisecond. */
const burst = Math.max(0.25, 40 * clockStep());

function clockStep(): number {
  let least = Infinity;
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    let now = start;
    while (now === start) now = performance.now();
    least = Math.min(least, now - start);
  }
  return least;
}

/** Milliseconds a run: the best burst of those that fit into `least` milliseconds, three at the least. */
async function leastOf(contender: Contender, inputs: number, least: number, first: number): Promise<number> {
  let best = Infinity;
  const start = performance.now();
  for (let n = 0; n < 3 || performance.now() - start < least; n++)
    best = Math.min(best, await repeat(contender, inputs, burst, 1, first + n));
  return best;
}

/** Rounds in which the machine was as fast as it can be: at least 90 % of the best probe. */
export function counted(rounds: readonly Round[]): readonly Round[] {
  const best = Math.max(...rounds.map((r) => r.probe));
  return rounds.filter((r) => r.probe >= 0.9 * best);
}

/** Rows of contenders that were timed elsewhere: milliseconds by round, then by contender. */
export const rowsOf = (names: readonly string[], rounds: readonly (readonly number[])[], amount: number): Row[] =>
  names.map((name, i) =>
    rowOf(
      name,
      i,
      rounds.map((times) => ({ probe: 0, times })),
      amount,
    ),
  );

function rowOf(name: string, i: number, rounds: readonly Round[], amount: number): Row {
  const times = rounds.map((r) => r.times[i] ?? NaN);
  const middle = median(times);
  return {
    name,
    median: middle,
    minimum: Math.min(...times),
    rate: amount / (middle / 1000),
    ratio: median(rounds.map((r) => (r.times[i] ?? NaN) / (r.times[0] ?? NaN))),
    leastRatio: Math.min(...times) / Math.min(...rounds.map((r) => r.times[0] ?? NaN)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[half] ?? NaN) : ((sorted[half - 1] ?? NaN) + (sorted[half] ?? NaN)) / 2;
}

const probeSteps = 2_000_000;

/** 10⁹ multiply-adds a second: four chains of plain JavaScript, the best of three tries of a few milliseconds. */
export function probe(): number {
  let best = 0;
  for (let tries = 0; tries < 3; tries++) {
    const start = performance.now();
    if (chains(probeSteps) < 0) throw new Error('the probe is wrong');
    best = Math.max(best, (4 * probeSteps) / (performance.now() - start) / 1e6);
  }
  return best;
}

function chains(steps: number): number {
  let [a, b, c, d] = [0, 1, 2, 3];
  for (let i = 0; i < steps; i++) {
    a = a * 0.5 + 1;
    b = b * 0.25 + 2;
    c = c * 0.125 + 3;
    d = d * 0.75 + 4;
  }
  return a + b + c + d;
}
