/** How much of an area is cloudy in each of many scenes, and how much of it they have data of. */

import { hash } from 'node:crypto';
import { makePause, takeTurn, throwIfCancelled, workInOrder } from '../async/index.ts';
import type { SceneHit, SceneStore } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { AreaGeometry } from '../geo/index.ts';
import { toOutline } from '../geo/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { CompareScene, FileWatch } from '../render/native/index.ts';
import type { Sensor } from '../sensors/index.ts';
import type { AreaCells } from './area-cells.ts';
import type { CoverageJobs } from './coverage-jobs.ts';
import type { CoverageStore, StoredCell, StoredMask } from './coverage-store.ts';
import type { PixelCounts } from './mask-cells.ts';
import type { MeasuredArea, PlacedScene } from './scene-cells.ts';
import { makeSceneCells, toGridKey } from './scene-cells.ts';
import type { MaskedScene } from './scene-masks.ts';
import { makeSceneMasks } from './scene-masks.ts';

/** What was found of an area in a scene: percentages with two decimals. */
export interface SceneCoverage {
  /** Clouds among the pixels of the area with data; null if the scene has no mask of them, or no data there. */
  readonly cloudPercent: number | null;
  /** Pixels of the area with data; null if the scene could not be measured. */
  readonly dataPercent: number | null;
  /** Why a percentage is null; null if none is, and where the area has no data. */
  readonly problem: CoverageProblem | null;
}

/** Why something was not measured: an error code, and a sentence. */
export interface CoverageProblem {
  readonly code: string;
  readonly message: string;
}

/** Measures scenes in an area, in their order: all of them, or the first ones if that is too much work for one call. */
export type MeasureCoverage = (request: CoverageRequest, ticket: Ticket) => Promise<readonly SceneCoverage[]>;

/** The scenes and the area to measure them in. */
interface CoverageRequest {
  readonly hits: readonly SceneHit[];
  readonly area: AreaGeometry;
  /** Called before files of so many scenes are read; what it throws ends the call. */
  readonly onRead?: (scenes: number) => void;
}

/** Bounds of one call, whichever is met first; one scene is measured in any case. */
export interface CoverageLimits {
  /** After this no further scenes are begun: a person waits. */
  readonly ms: number;
  /** Cells that are read from files. */
  readonly readCells: number;
  /** Cells that are counted. */
  readonly cells: number;
}

/** 67 million pixels of files, and four times as many of the store: some seconds, and some megabytes. */
const LIMITS: CoverageLimits = { ms: 10_000, readCells: 4_096, cells: 16_384 };

interface CoverageDeps {
  readonly scenes: Pick<SceneStore, 'findByViewId'>;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly store: CoverageStore;
  readonly pool: JobRunner<CoverageJobs>;
  /** A monotonic clock. */
  readonly nowMs: () => number;
  /** Called when cells could not be stored or found; the answer does not depend on it. */
  readonly onForgotten: (error: unknown) => void;
  /** Called for a scene that failed because of a bug. */
  readonly onFailure: (viewId: string, error: unknown) => void;
  readonly limits?: CoverageLimits;
}

/** Scenes that are prepared together: one query of the store, and one job that counts. */
const BATCH = 100;
/** Scenes whose files are read at the same time: more than threads, because remote ones wait for their bytes. */
const AT_ONCE = 16;
/** Cells of one write: a megabyte at most. */
const MAX_WRITE_CELLS = 256;

/** A scene that cannot be measured. */
interface FailedScene {
  readonly problem: CoverageProblem;
}

/** The area of a call, and what was spent on it. */
interface Call extends MeasuredArea {
  readonly onRead: (scenes: number) => void;
  scenes: number;
  cells: number;
  readCells: number;
}

/** Builds the measuring. */
export function makeMeasureCoverage(deps: CoverageDeps): MeasureCoverage {
  const { store, nowMs, onForgotten, onFailure, limits = LIMITS } = deps;
  const masks = makeSceneMasks(deps);
  const cells = makeSceneCells({ ...deps, masks });

  function toFailed({ viewId }: SceneHit, error: unknown): FailedScene {
    if (isPassing(error)) throw error;
    if (isSwathError(error)) return { problem: { code: error.code, message: error.message } };
    onFailure(viewId, error);
    return { problem: { code: 'internal', message: 'Something went wrong inside Swath.' } };
  }

  /** Finds the cells of the area for each scene; the first scenes of too many. */
  async function place(
    found: readonly (MaskedScene | FailedScene)[],
    call: Call,
  ): Promise<readonly (PlacedScene | FailedScene)[]> {
    const grids = found.flatMap((one) => ('problem' in one || one.mask === null ? [] : [one.mask.grid]));
    const covered = await cells.cover(grids, call);
    const placed: (PlacedScene | FailedScene)[] = [];
    for (const one of found) {
      if ('problem' in one) placed.push(one);
      else if (one.mask === null) placed.push({ problem: NO_GRID });
      else {
        const { mask } = one;
        const area = covered.get(toGridKey(mask.grid)) as AreaCells;
        call.cells += area.cells.length;
        if (call.cells > limits.cells && call.scenes + placed.length > 0) break;
        placed.push({ ...one, mask, area });
      }
    }
    return placed;
  }

  /** Stores what was read, also of a search whose client has left: the next one need not read it again. */
  async function remember(freshMasks: readonly StoredMask[], fresh: readonly StoredCell[]): Promise<void> {
    try {
      if (freshMasks.length > 0) await store.put(freshMasks, []);
      for (let i = 0; i < fresh.length; i += MAX_WRITE_CELLS)
        await store.put([], fresh.slice(i, i + MAX_WRITE_CELLS));
    } catch (error) {
      onForgotten(error);
    }
  }

  /** Measures some scenes, or the first of them if that is all that the bounds allow. */
  async function measureSome(hits: readonly SceneHit[], call: Call): Promise<readonly SceneCoverage[]> {
    const { ticket } = call;
    const { signal } = ticket;
    const pause = makePause();
    const freshMasks: StoredMask[] = [];
    const fresh: StoredCell[] = [];
    await masks.findMany(hits);
    const found: (MaskedScene | FailedScene)[] = [];
    const finding = workInOrder(hits, { atOnce: AT_ONCE, signal }, (hit) =>
      masks.find(hit, freshMasks).catch((error: unknown) => toFailed(hit, error)),
    );
    for await (const one of finding) {
      found.push(one);
      await pause();
    }
    const outcomes = [...(await place(found, call))];
    const known = await cells.findStored(outcomes.filter(isPlaced));
    const unread: { readonly i: number; readonly one: PlacedScene; readonly missing: readonly number[] }[] =
      [];
    for (const [i, one] of outcomes.entries()) {
      const missing = isPlaced(one) ? listMissing(one, known.get(one.key)) : [];
      call.readCells += missing.length;
      if (call.readCells > limits.readCells && call.scenes + i > 0) {
        outcomes.length = i;
        break;
      }
      if (isPlaced(one) && missing.length > 0) unread.push({ i, one, missing });
    }
    if (unread.length > 0) call.onRead(unread.length);
    const reading = workInOrder(unread, { atOnce: AT_ONCE, signal }, async ({ i, one, missing }, either) => {
      try {
        const read = await cells.read(one, missing, { ticket: { ...ticket, signal: either }, fresh });
        for (const [cell, pixels] of read) known.get(one.key)?.set(cell, pixels);
      } catch (error) {
        outcomes[i] = toFailed(one.hit, error);
      }
    });
    try {
      for await (const _ of reading) await pause();
    } finally {
      void remember(freshMasks, fresh);
    }
    const placed = outcomes.filter(isPlaced);
    const counts = await cells.count(placed, known, ticket);
    const countsOf = new Map(placed.map((one, i) => [one, counts[i] as PixelCounts]));
    return outcomes.map((one) =>
      isPlaced(one)
        ? toCoverage(one, countsOf.get(one) as PixelCounts)
        : { cloudPercent: null, dataPercent: null, problem: one.problem },
    );
  }

  return async ({ hits, area, onRead = () => {} }, ticket) => {
    const startedMs = nowMs();
    // An area of 10,000 positions takes milliseconds.
    await takeTurn();
    const outline = toOutline(area);
    const key = hash('sha256', outline, 'hex');
    const call: Call = { outline, key, ticket, onRead, scenes: 0, cells: 0, readCells: 0 };
    const measured: SceneCoverage[] = [];
    while (measured.length < hits.length) {
      throwIfCancelled(ticket.signal);
      const some = hits.slice(measured.length, measured.length + BATCH);
      const found = await measureSome(some, call);
      measured.push(...found);
      call.scenes = measured.length;
      if (found.length < some.length || nowMs() - startedMs > limits.ms) break;
    }
    return measured;
  };
}

const NO_GRID: CoverageProblem = {
  code: 'no-grid',
  message: 'The pixels of these scenes lie on no regular grid.',
};

const isPlaced = (one: PlacedScene | FailedScene): one is PlacedScene => !('problem' in one);

const listMissing = ({ area }: PlacedScene, known?: ReadonlyMap<number, unknown>): readonly number[] =>
  [...area.cells].filter((cell) => known?.has(cell) !== true);

function toCoverage({ area, mask, sensor }: PlacedScene, { clear, cloud }: PixelCounts): SceneCoverage {
  const valid = clear + cloud;
  return {
    cloudPercent: mask.hasClouds && valid > 0 ? toPercent(cloud / valid) : null,
    dataPercent: area.areaPx > 0 ? toPercent(Math.min(1, valid / area.areaPx)) : 0,
    problem: mask.hasClouds ? null : { code: 'no-cloud-mask', message: explainNoMask(sensor) },
  };
}

/** With two decimals, so that filters compare what hits show. */
const toPercent = (share: number): number => Math.round(share * 10_000) / 100;

function explainNoMask({ title, cloud }: Sensor): string {
  switch (cloud.kind) {
    case 'none':
      return `Scenes of ${title} have no cloud mask: ${cloud.why}`;
    case 'masked':
      return `Clouds in scenes of ${title} are without data already: use dataCoverageInArea.`;
    case 'scene-percent':
      return `Of ${title} only the cloud cover of whole scenes is known, not where the clouds are.`;
    default:
      return 'These scenes come without a cloud mask.';
  }
}

/** Failures that say nothing about the scene: the work was stopped, or there was no room for it. */
const isPassing = (error: unknown): boolean =>
  (isSwathError(error) && (error.tag === 'cancelled' || error.tag === 'too-busy')) ||
  (error instanceof Error && error.name === 'AbortError');
