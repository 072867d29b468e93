import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeLru } from '../lru.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import { runPatiently } from '../pool/index.ts';
import { packGrids } from '../proj/index.ts';
import { MIB, toWholeMib } from '../units.ts';
import type { Composed, ComposeJob, ComposeJobs, FilledPixels, SceneShare } from './compose-job.ts';
import { unsupported } from './errors.ts';
import { toSearchKey } from './find-candidates.ts';
import { isStacked } from './mosaic.ts';
import type { PlannedMosaic } from './plan-mosaic.ts';
import { canStopEarly, MANY, MAX_GRAZING } from './plan-mosaic.ts';
import type { Candidate, PlannedScene, PlanScene } from './plan-scenes.ts';
import { chooseFirst, listWarps, outlineOf, toUnits } from './plan-scenes.ts';

/** What is to become of a mosaic. */
export type ToResult = (planned: PlannedMosaic) => Promise<ComposeJob['result']>;

/** What the last job of a mosaic gives. */
type FinishedJob = Exclude<Composed, { kind: 'unfinished' }>;

/** Puts the scenes of a mosaic together, job after job, until the picture is full or no scene is left. */
type RunJobs = (
  planned: PlannedMosaic,
  toResult: ToResult,
  work: {
    readonly ticket: Ticket;
    /** The scenes that were planned are added to it, also if a job fails. */
    readonly used: PlannedScene[];
  },
) => Promise<RunOutput>;

/** What the last job gave; another request may have the same memory. */
export interface RunOutput {
  readonly output: FinishedJob;
  readonly isShared: boolean;
}

interface RunDeps {
  readonly planScene: PlanScene;
  readonly pool: JobRunner<ComposeJobs>;
}

/** Scenes that are read one after the other for one picture. */
const MAX_READ = 128;
/** Mosaics that people look at at the same time. */
const MOST_NEEDED = 256;

/** Builds the running of jobs. */
export function makeRunJobs({ planScene, pool }: RunDeps): RunJobs {
  /** By mosaic, how many scenes its last picture needed besides the first ones: the next one is likely to need as many. */
  const needed = makeLru<number>({ max: MOST_NEEDED });

  return async (planned, toResult, { ticket, used }) => {
    const { candidates, composed, request, front } = planned;
    const { selection } = request.composition;
    const canStop = canStopEarly(request.composition);
    const result = await toResult(planned);
    let waiting = candidates;
    const first = canStop ? chooseFirst(candidates, composed.grid) : candidates;
    const name = `${toSearchKey(request.search)} ${JSON.stringify(request.composition)}`;
    let batch = canStop ? addNext(first, candidates, needed.get(name) ?? 0) : first;
    let before: FilledPixels | null = null;
    let grazed = 0;
    for (let round = 1; ; round += 1) {
      const taken = new Set(batch);
      if (waiting.length > MANY) await nextTurn();
      waiting = waiting.filter((candidate) => !taken.has(candidate));
      const parts: PlannedScene[] = [];
      // One after the other: planning takes a millisecond, and others may want the thread in between.
      for (const candidate of batch) parts.push(await planScene(candidate, request, composed));
      used.push(...parts);
      const job: ComposeJob = {
        grid: composed.grid,
        padPx: composed.padPx,
        dilatePx: composed.dilatePx,
        featherPx: request.composition.featherPx,
        channels: front?.picture.plan.tree.outputs.length ?? 1,
        scenes: parts.map((part) => toPart(part, front)),
        grids: packGrids(parts.flatMap(({ part }) => listWarps(part))),
        selection,
        before,
        rest: waiting.map(({ index, hit }) => ({ index, footprint: outlineOf(hit) })),
        isLast: waiting.length === 0,
        result,
      };
      const own = {
        ...ticket,
        bytes: estimateBytes(job, parts),
        singleFlightKey: `compose ${planned.etag} ${toResultKey(result)} ${round} ${toNames(batch)}`,
      };
      // Nobody waits for the jobs of a task: they wait for a free thread.
      const { output, shared } =
        ticket.lane === 'task'
          ? { output: await runPatiently(pool, 'compose', job, own), shared: true }
          : await pool.run('compose', job, own);
      if (output.kind !== 'unfinished') {
        if (canStop) needed.set(name, countOthers(output.shares, first));
        return { output, isShared: shared };
      }
      const reaching = new Set(output.reaching);
      before = output.filled;
      waiting = waiting.filter(({ index }) => reaching.has(index));
      if (waiting.length === output.grazing.length) {
        waiting = waiting.slice(0, MAX_GRAZING - grazed);
        grazed += waiting.length;
      } else if (used.length >= MAX_READ) throw refuseMany(planned, used.length);
      batch = waiting.slice(0, 2 ** Math.min(4, round + 1));
    }
  };
}

/** What the jobs of one mosaic differ by. The area of a picture is a part of its ETag, that of values is not. */
function toResultKey(result: ComposeJob['result']): string {
  const { kind } = result;
  const outlines =
    kind === 'areas' ? result.areas.map(({ outline }) => outline) : kind === 'values' ? [result.outline] : [];
  return [kind, ...outlines.map((outline) => (outline === null ? '' : hash('sha256', outline, 'hex')))].join(
    ' ',
  );
}

/** The scenes to read first, and so many of the next in the order of the mosaic. */
const addNext = (
  first: readonly Candidate[],
  candidates: readonly Candidate[],
  count: number,
): readonly Candidate[] => {
  if (count === 0) return first;
  const taken = new Set(first);
  const next = candidates.filter((candidate) => !taken.has(candidate)).slice(0, Math.min(count, MOST_NEXT));
  return [...first, ...next].toSorted((a, b) => a.index - b.index);
};

/** More than these are left to the next job. */
const MOST_NEXT = 8;

/** How many scenes have given pixels besides some. */
function countOthers(shares: readonly SceneShare[], first: readonly Candidate[]): number {
  const indexes = new Set(first.map(({ index }) => index));
  return shares.filter(({ index }) => !indexes.has(index)).length;
}

const toNames = (batch: readonly Candidate[]): string => batch.map(({ index }) => index).join();

const refuseMany = ({ candidates, others }: PlannedMosaic, read: number): Error =>
  unsupported(
    'too-many-scenes',
    `After ${read} of ${candidates.length + others} scenes this picture still has gaps, and more may not be read: choose a shorter period, fewer clouds, or a higher zoom, or order the pyramid of the mosaic.`,
    { details: { found: candidates.length + others, limit: MAX_READ } },
  );

function toPart({ part, picture }: PlannedScene, front: PlannedScene | null): ComposeJob['scenes'][number] {
  const units =
    front === null || picture === front.picture ? null : toUnits(picture.plan, front.picture.plan);
  return units === null ? part : { ...part, units };
}

/** What a thread has, less what it is reading at the moment. */
const MAX_BYTES = 224 * MIB;

/** Memory of a job: the scene that needs most; those that stay until the end; and the mosaic with its copies. */
function estimateBytes({ grid, channels, selection }: ComposeJob, parts: readonly PlannedScene[]): number {
  const px = grid.width * grid.height;
  const kept = isStacked(selection) ? parts.length * (4 * channels + 1) : 8 * channels;
  const bytes = px * (kept + 3 * (4 * channels + 8)) + Math.max(0, ...parts.map((part) => part.bytes));
  if (bytes <= MAX_BYTES) return bytes;
  throw unsupported(
    'mosaic-too-expensive',
    `This mosaic of ${parts.length} scenes would need ${toWholeMib(bytes)} MiB of pixels, and ${toWholeMib(MAX_BYTES)} MiB is the limit: ask for a smaller picture, or a shorter period.`,
  );
}
