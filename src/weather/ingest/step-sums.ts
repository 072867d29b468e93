import type { SumTotals, TotalPeriod } from './sum-periods.ts';

/** A total of a file, in the units of the cube. */
export interface FileTotal extends TotalPeriod {
  read(): Promise<Float32Array>;
}

/** What a file's totals become. */
export type StepSum =
  /** What fell between two times. */
  | {
      readonly kind: 'sum';
      readonly startMs: number;
      readonly endMs: number;
      readonly values: Float32Array;
    }
  /** A total that another file needs. */
  | { readonly kind: 'total'; readonly period: TotalPeriod; readonly values: Float32Array };

interface StepSumsOptions {
  readonly totals: SumTotals;
  /** Times between two totals of one sum that are told apart. */
  readonly spansMs: readonly number[];
  readonly onField: () => void;
}

/**
 * Makes sums of steps from totals: the difference of two totals that count from the same time. The total before may be
 * in another file, and so may the one after. Where one is missing there is a gap.
 */
export async function* toStepSums(
  totals: readonly FileTotal[],
  options: StepSumsOptions,
): AsyncGenerator<StepSum> {
  const { onField } = options;
  // The first bucket of a run is also its total, and a file may have it twice.
  const given = [...new Map(totals.map((one) => [`${one.startMs} ${one.endMs}`, one])).values()];
  for (let i = given.length; i < totals.length; i++) onField();
  const nextEnds = toNextEnds(given);
  const byEnd = Map.groupBy(given, ({ endMs }) => endMs);
  const starts = new Set(given.map(({ startMs }) => startMs));
  /** The total before, of each start. */
  const latest = new Map<number, Read>();
  for (const endMs of [...byEnd.keys()].toSorted((one, other) => one - other)) {
    // Those of the whole run go first: all files have them, while buckets start again and again.
    const candidates = byEnd.get(endMs)!.toSorted((one, other) => one.startMs - other.startMs);
    const [longest] = candidates;
    let isDone = false;
    for (const total of candidates) {
      const read = makeRead(total);
      const inFile = latest.get(total.startMs) ?? null;
      latest.set(total.startMs, read);
      if (!isDone) {
        const sum = await findSum(read, inFile, options);
        if (sum !== null) yield sum;
        isDone = sum !== null;
      }
      if (total === longest) {
        const nextMs = nextEnds.get(total) ?? Number.POSITIVE_INFINITY;
        // A sum has ended when another one starts there.
        const isLast = !starts.has(endMs) && nextMs - endMs > options.spansMs.at(-1)!;
        const isFirst = inFile === null && endMs - total.startMs > options.spansMs[0]!;
        if (isFirst || isLast) yield await shareTotal(read, options);
        const late = isLast ? await findLateSum(read, options) : null;
        if (late !== null) yield late;
      }
      onField();
    }
    // Fields that can no longer be the one before are not retained.
    for (const [startMs, one] of latest)
      if (endMs - one.endMs > options.spansMs.at(-1)! || (one.endMs < endMs && starts.has(one.endMs)))
        latest.delete(startMs);
  }
}

/** A total that is read once, when it is needed. */
interface Read extends TotalPeriod {
  readonly read: () => Promise<Float32Array>;
}

function makeRead({ startMs, endMs, read }: FileTotal): Read {
  let values: Promise<Float32Array> | null = null;
  return {
    startMs,
    endMs,
    read() {
      values ??= read();
      return values;
    },
  };
}

/** The end of the next total of the same start, of each. */
function toNextEnds(given: readonly FileTotal[]): ReadonlyMap<FileTotal, number> {
  const next = new Map<FileTotal, number>();
  for (const group of Map.groupBy(given, ({ startMs }) => startMs).values()) {
    const sorted = group.toSorted((one, other) => one.endMs - other.endMs);
    for (let i = 1; i < sorted.length; i++) next.set(sorted[i - 1]!, sorted[i]!.endMs);
  }
  return next;
}

async function findSum(
  total: Read,
  inFile: Read | null,
  { totals, spansMs }: StepSumsOptions,
): Promise<StepSum | null> {
  const { startMs, endMs } = total;
  const isAdjacent = inFile !== null && spansMs.includes(endMs - inFile.endMs);
  if (isAdjacent) return toSum(total, await total.read(), await readEnded(inFile), spansMs);
  const isShortest = endMs - startMs <= spansMs[0]!;
  const other = isShortest ? null : await findBefore(total, totals);
  const before = other !== null && other.endMs > (inFile?.endMs ?? startMs) ? other : inFile;
  return toSum(total, await total.read(), before === null ? null : await readEnded(before), spansMs);
}

async function shareTotal({ startMs, endMs, read }: Read, { totals }: StepSumsOptions): Promise<StepSum> {
  const [period, values] = [{ startMs, endMs }, await read()];
  totals.remember(period, values);
  return { kind: 'total', period, values };
}

/** The sum after the last total of a file, if the next one was there before it. */
async function findLateSum(total: Read, { totals, spansMs }: StepSumsOptions): Promise<StepSum | null> {
  const next = await findNext(total, totals);
  if (next === null) return null;
  return toSum(next, await next.read(), await readEnded(total), spansMs);
}

interface Ended {
  readonly endMs: number;
  readonly values: Float32Array;
}

const readEnded = async ({ endMs, read }: Read): Promise<Ended> => ({ endMs, values: await read() });

/** The nearest total of another file that counts from the same time and ends before. */
async function findBefore(period: TotalPeriod, totals: SumTotals): Promise<Read | null> {
  const near = (await totals.findNear(period.endMs))
    .filter(({ startMs, endMs }) => startMs === period.startMs && endMs < period.endMs)
    .toSorted((one, other) => other.endMs - one.endMs)[0];
  return near === undefined ? null : { ...near, read: () => totals.read(near) };
}

/** The nearest that ends after. */
async function findNext(period: TotalPeriod, totals: SumTotals): Promise<Read | null> {
  const near = (await totals.findNear(period.endMs))
    .filter(({ startMs, endMs }) => startMs === period.startMs && endMs > period.endMs)
    .toSorted((one, other) => one.endMs - other.endMs)[0];
  return near === undefined ? null : { ...near, read: () => totals.read(near) };
}

/** The sum between two totals, or the total itself if it is the first; null if one between them is missing. */
function toSum(
  { startMs, endMs }: TotalPeriod,
  values: Float32Array,
  before: Ended | null,
  spansMs: readonly number[],
): StepSum | null {
  const fromMs = before?.endMs ?? startMs;
  if (!spansMs.includes(endMs - fromMs)) return null;
  const sum = before === null ? values.slice() : values.map((value, cell) => value - before.values[cell]!);
  return { kind: 'sum', startMs: fromMs, endMs, values: sum };
}
