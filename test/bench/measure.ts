// Paired timing. Uses no API of Node, so that it also runs in a page.

/** One implementation of the work. Its results are checked before timing, and not during it. */
export interface Contender {
  readonly name: string;
  /** `input` is the index of the input. It changes between runs, so that caching one result does not help. */
  readonly run: (input: number) => unknown;
  /** What is wrong with a result; undefined when it is right. */
  readonly check: (result: unknown, input: number) => string | undefined;
}

/** One comparison: ours first, then its peers. */
export interface Work {
  readonly name: string;
  /** Amount of work in one run, for the rate: for example 0.5 (MB). */
  readonly amount: number;
  readonly unit: string;
  /** Number of inputs; successive runs cycle through them. */
  readonly inputs: number;
  readonly contenders: readonly Contender[];
  /** Remarks below the table, such as peers that did not reach this size. */
  readonly notes?: readonly string[];
  /**
   * Measures the machine's peak rate in 10⁹ units a second. It replaces the JavaScript probe before and after each round.
   * A round's time is then its fastest run instead of the mean, because other processes interrupt some runs for milliseconds.
   */
  readonly peak?: () => number;
}

export interface Effort {
  readonly rounds: number;
  /** Warm-up of each contender before the first round, in milliseconds. */
  readonly warmUp: number;
  /** Shortest time for which a contender runs in a round, in milliseconds. */
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
  /** Amount of work per second, from the median time. */
  readonly rate: number;
  /** Median over the rounds of this contender's time divided by the first contender's. Above 1 the first is faster. */
  readonly ratio: number;
  /** This contender's shortest time divided by the first contender's shortest time. Other processes disturb this ratio least. */
  readonly leastRatio: number;
}

export interface Measured {
  readonly name: string;
  readonly unit: string;
  readonly rows: readonly Row[];
  readonly notes: readonly string[];
  /** Number of rounds that count, out of the `ran` rounds. */
  readonly kept: number;
  readonly ran: number;
  /** The best probe in 10⁹ multiply-adds a second: the machine's peak rate if `peak`, else the rate of plain JavaScript. */
  readonly probe: number;
  readonly peak: boolean;
}

/** What is said without times. */
export const remarks = (name: string, notes: readonly string[]): Measured => ({
  name,
  notes,
  unit: '',
  rows: [],
  kept: 0,
  ran: 0,
  probe: 0,
  peak: false,
});

interface Round {
  readonly probe: number;
  /** Milliseconds per run of each contender. */
  readonly times: readonly number[];
}

/** Checks and warms up the contenders, then times all of them in each round. Each round starts with a different contender. */
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

/** The contenders whose results are right for every input, and a note about each other one. */
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

/** Mean milliseconds per run, over at least `least` milliseconds and at least `runs` runs, starting with input `first`. */
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

/** Shortest burst of runs in milliseconds, long enough for the clock's resolution not to matter (0.1 ms in a page). */
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

/** Milliseconds per run in the fastest burst. Bursts are repeated for `least` milliseconds, at least three times. */
async function leastOf(contender: Contender, inputs: number, least: number, first: number): Promise<number> {
  let best = Infinity;
  const start = performance.now();
  for (let n = 0; n < 3 || performance.now() - start < least; n++)
    best = Math.min(best, await repeat(contender, inputs, burst, 1, first + n));
  return best;
}

/** Rounds in which the machine was not slowed down: their probe reached at least 90 % of the best probe. */
export function counted(rounds: readonly Round[]): readonly Round[] {
  const best = Math.max(...rounds.map((r) => r.probe));
  return rounds.filter((r) => r.probe >= 0.9 * best);
}

/** Rows from times that were measured elsewhere. `rounds[i][j]` is the time of contender j in round i, in milliseconds. */
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

/** Speed of plain JavaScript in 10⁹ multiply-adds a second: four independent chains, the best of three runs of a few milliseconds. */
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
