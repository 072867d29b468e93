/** How far the work of a run is, and when it ends. Work is counted in milliseconds that it is expected to take. */
export interface TimeLeft<Kind extends string> {
  /** Announces work. */
  plan(kind: Kind, ms: number): void;
  /** Counts work that is done; the time since the last such call was spent on it. */
  add(kind: Kind, ms: number): void;
  /** Counts planned work that takes no time: an earlier run has done it, or it turned out to be empty. */
  skip(kind: Kind, ms: number): void;
  /** The share of all work that is done, from 0 to 1. */
  share(): number;
  /** Time until all is done, in milliseconds; null as long as there is too little to tell. */
  leftMs(): number | null;
}

/** Work of one kind is measured by its own pace when this share of it is done. */
const MIN_SHARE = 0.15;

/** How far the pace of a kind that has not begun may differ from what is expected: others may have waited for a network. */
const MAX_FACTOR = 4;

/** Points of a pace that are remembered. */
const MAX_POINTS = 256;

/**
 * Estimates the time left by the pace of each kind of work, over the later half of what is done: the first parts fill caches
 * and compile code. Kinds that have not begun are expected to be slower than planned by as much as the others are.
 */
export function makeTimeLeft<Kind extends string>(
  kinds: readonly Kind[],
  nowMs: () => number,
): TimeLeft<Kind> {
  const works = Object.fromEntries(kinds.map((kind) => [kind, makeWork()])) as Record<Kind, Work>;
  const all = Object.values<Work>(works);
  let lastMs = nowMs();
  const sum = (list: readonly Work[], toNumber: (work: Work) => number): number =>
    list.reduce((total, work) => total + toNumber(work), 0);

  return {
    plan(kind, ms) {
      works[kind].planned += ms;
    },
    add(kind, ms) {
      works[kind].add(ms, nowMs() - lastMs);
      lastMs = nowMs();
    },
    skip(kind, ms) {
      works[kind].skipped += ms;
    },
    share() {
      const planned = sum(all, (work) => work.planned);
      return planned === 0 ? 0 : 1 - sum(all, (work) => work.left()) / planned;
    },
    leftMs() {
      const known = all.filter((work) => work.isKnown());
      const toOwn = ({ planned, skipped }: Work): number => planned - skipped;
      if (sum(known, toOwn) < sum(all, toOwn) / 2) return null;
      const done = sum(known, (work) => work.done());
      const factor = done === 0 ? 1 : sum(known, (work) => work.pace() * work.done()) / done;
      const others = Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, factor));
      return sum(all, (work) => work.left() * (work.isKnown() ? work.pace() : others));
    },
  };
}

type Work = ReturnType<typeof makeWork>;

/** Work of one kind, and its pace: the time that it took, by the time that was expected. */
function makeWork() {
  /** What was done, and how long it took, from the beginning on. */
  let points: (readonly [doneMs: number, tookMs: number])[] = [[0, 0]];
  const last = () => points.at(-1) as readonly [number, number];
  return {
    planned: 0,
    skipped: 0,
    done: (): number => last()[0],
    left(): number {
      return Math.max(0, this.planned - this.skipped - this.done());
    },
    add(ms: number, tookMs: number): void {
      const [done, took] = last();
      if (points.length >= MAX_POINTS) points = points.filter((_, i) => i % 2 === 0);
      points.push([done + ms, took + tookMs]);
    },
    isKnown(): boolean {
      return this.done() > 0 && this.done() >= MIN_SHARE * (this.planned - this.skipped);
    },
    pace(): number {
      const [done, took] = last();
      const [fromDone, fromTook] = points.findLast(([at]) => at <= done / 2) ?? [0, 0];
      return (took - fromTook) / (done - fromDone);
    },
  };
}
