import { hash } from 'node:crypto';
import type { SceneHit, SceneStore } from '../catalog/index.ts';
import { isInterruption } from '../errors.ts';
import type { LonLatBounds, MultiPolygonGeometry } from '../geo/index.ts';
import { geometryBounds } from '../geo/index.ts';
import type { Ticket } from '../pool/index.ts';
import { unavailable } from './errors.ts';
import { coverWithCells } from './ground.ts';
import type { Days, Fired, SceneReadings } from './judge.ts';
import { addDays, listPastDays } from './judge.ts';
import { packReadings } from './readings.ts';
import type { Condition, Reading, Subscription, WatchEvent } from './subscription.ts';
import type { WatchedScene, WatchStore } from './watch-store.ts';

/** A field, or the one area, of a subscription. */
export interface WatchedShape {
  /** 16 hexadecimal digits. */
  readonly id: string;
  readonly name: string | null;
  readonly externalId: string | null;
  readonly geometry: MultiPolygonGeometry;
}

/** Measures shapes in a scene, for each expression; those that it does not show, or shows too little or too cloudy of, are left out. */
export type MeasureScene = (
  scene: SceneHit,
  wanted: { readonly shapes: readonly WatchedShape[]; readonly value: Subscription['value'] },
  ticket: Ticket,
) => Promise<readonly (readonly Reading[])[]>;

/** Finds the readings that meet a condition; on a thread, because a subscription may have fifty thousand fields. */
export type JudgeScene = (
  input: {
    readonly condition: Condition;
    readonly scene: SceneReadings;
    readonly past: readonly SceneReadings[];
  },
  ticket: Ticket,
) => Promise<readonly Fired[]>;

/** What a check needs; a dry run has a store in memory. */
export interface CheckDeps {
  readonly store: Pick<WatchStore, 'findMeasured' | 'listMeasured' | 'commit'>;
  readonly scenes: Pick<SceneStore, 'searchHits'>;
  readonly listShapes: (subscription: Subscription) => Promise<readonly WatchedShape[]>;
  readonly measureScene: MeasureScene;
  readonly judgeScene: JudgeScene;
  readonly now: () => Date;
  /** Called with what a scene says of the fields of a subscription, for each expression; absent in a dry run. */
  readonly onReadings?: (
    subscription: Subscription,
    scene: SceneHit,
    readings: readonly (readonly Reading[])[],
  ) => void;
  /** Called for a scene that could not be measured; a later check tries it again. */
  readonly onFailure: (viewId: string, error: unknown) => void;
}

/** How far a check is. */
interface SceneProgress {
  readonly done: number;
  readonly total: number;
  /** Whether the last scene is stored; false if it could not be measured. */
  readonly isStored: boolean;
}

/** How a check is carried out. */
export interface CheckRun {
  readonly ticket: Ticket;
  /** Called after each scene; false ends the check: its turn is over, or another process has the subscription. */
  onScene(progress: SceneProgress): Promise<boolean>;
}

/** What a check has done. */
export interface Checked {
  /** Scenes that were measured, without those of the past. */
  readonly scenes: number;
  readonly failed: number;
  readonly fired: number;
  /** False if `onScene` ended it early. */
  readonly isWhole: boolean;
}

/** Scenes of one page of a search. */
const PAGE = 200;

/**
 * Measures what is new in the scenes of some days, oldest first, and stores the events. Scenes before those days are
 * measured where a condition looks back at them; they make no events.
 */
export function makeCheckSubscription(deps: CheckDeps) {
  return async (subscription: Subscription, days: Days, run: CheckRun): Promise<Checked> => {
    const shapes = await deps.listShapes(subscription);
    const cells = coverWithCells(shapes.map(({ geometry }): LonLatBounds => geometryBounds(geometry)));
    if (cells === null) return { scenes: 0, failed: 0, fired: 0, isWhole: true };
    const check = makeSceneCheck(deps, { subscription, shapes, cells, run });
    const fresh = await check.listFresh(days);
    const past = makePast(days);
    let [scenes, failed, fired] = [0, 0, 0];
    for (const [done, hit] of fresh.entries()) {
      run.ticket.signal?.throwIfAborted();
      const needed = listPastDays(subscription.condition, toDayOf(hit));
      for (const missing of past.takeMissing(needed)) {
        for (const earlier of await check.listFresh(missing)) {
          const isStored = (await check.measure(earlier, { needed: null })) !== null;
          if (!(await run.onScene({ done, total: fresh.length, isStored })))
            return { scenes, failed, fired, isWhole: false };
        }
      }
      const made = await check.measure(hit, { needed });
      if (made === null) failed += 1;
      else [scenes, fired] = [scenes + 1, fired + made];
      if (!(await run.onScene({ done: done + 1, total: fresh.length, isStored: made !== null })))
        return { scenes, failed, fired, isWhole: false };
    }
    return { scenes, failed, fired, isWhole: true };
  };
}

const toDayOf = ({ acquiredAt }: Pick<SceneHit, 'acquiredAt'>): string => acquiredAt.slice(0, 10);

interface SceneCheckContext {
  readonly subscription: Subscription;
  readonly shapes: readonly WatchedShape[];
  readonly cells: MultiPolygonGeometry;
  readonly run: CheckRun;
}

function makeSceneCheck(deps: CheckDeps, { subscription, shapes, cells, run }: SceneCheckContext) {
  const { store, scenes } = deps;
  const byId = new Map(shapes.map((shape) => [shape.id, shape]));
  const { value, condition } = subscription;

  /** Scenes of some days that were not measured yet, oldest first. */
  async function listFresh({ from, to }: Days): Promise<readonly SceneHit[]> {
    const found: SceneHit[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const filters = [{ field: 'date', kind: 'range', from, to } as const];
      const page = await scenes.searchHits({
        datasets: value.datasets.map((id) => ({ id, filters })),
        shape: { geometry: cells, relation: 'intersects' },
        sort: { field: 'date', descending: false },
        offset,
        limit: PAGE,
      });
      const problem = page.catalogs?.find((note) => note.problem !== null)?.problem;
      // A scene that was missed now would never be looked at again.
      if (problem != null) throw unavailable('catalog-incomplete', problem.message);
      found.push(...page.hits);
      if (page.hits.length === 0 || offset + PAGE >= page.found) break;
    }
    const known = await store.findMeasured(
      subscription.id,
      found.map(({ viewId }) => viewId),
    );
    return found
      .filter(({ viewId }) => !known.has(viewId))
      .toSorted((a, b) => (a.acquiredAt < b.acquiredAt ? -1 : 1));
  }

  /** Measures a scene and stores it: the number of events; null if it could not be measured. */
  async function measure(
    hit: SceneHit,
    { needed }: { readonly needed: readonly Days[] | null },
  ): Promise<number | null> {
    let readings: readonly (readonly Reading[])[];
    try {
      readings = await deps.measureScene(hit, { shapes, value }, run.ticket);
    } catch (error) {
      if (isInterruption(error)) throw error;
      deps.onFailure(hit.viewId, error);
      return null;
    }
    deps.onReadings?.(subscription, hit, readings);
    const scene = { viewId: hit.viewId, day: toDayOf(hit), readings: readings.map(packReadings) };
    const events = needed === null ? [] : await judgeNow(scene, needed, hit);
    const isStored = await store.commit(subscription.id, scene, {
      events,
      at: deps.now().toISOString(),
    });
    return isStored ? events.length : 0;
  }

  /** The events of a scene, expression by expression. */
  async function judgeNow(
    scene: WatchedScene,
    needed: readonly Days[],
    hit: SceneHit,
  ): Promise<readonly WatchEvent[]> {
    if (scene.readings.every(({ byteLength }) => byteLength === 0)) return [];
    const past: WatchedScene[] = [];
    for (const days of needed) past.push(...(await store.listMeasured(subscription.id, days)));
    const events: WatchEvent[] = [];
    for (const [i, expression] of value.expressions.entries()) {
      const pick = ({ day, readings }: WatchedScene): SceneReadings => ({
        day,
        readings: readings[i] ?? packReadings([]),
      });
      const input = { condition, scene: pick(scene), past: past.map(pick) };
      const fired = await deps.judgeScene(input, run.ticket);
      events.push(...fired.map((one) => toEvent(one, expression, hit)));
    }
    return events;
  }

  function toEvent(
    { fieldId, value: found, compared }: Fired,
    expression: string,
    hit: SceneHit,
  ): WatchEvent {
    const shape = byId.get(fieldId);
    const { viewId, sceneId, dataset, acquiredAt } = hit;
    // Two scenes of one pass show the fields where they overlap: that is one event.
    const named = [subscription.id, fieldId, dataset, toDayOf(hit)];
    if (value.expressions.length > 1) named.push(expression);
    return {
      id: hash('sha256', named.join('\n')).slice(0, 32),
      fieldId,
      fieldName: shape?.name ?? null,
      externalId: shape?.externalId ?? null,
      viewId,
      sceneId,
      dataset,
      acquiredAt,
      expression,
      value: found,
      compared,
    };
  }

  return { listFresh, measure };
}

/** The days whose scenes are measured already, or will be in turn. */
function makePast(days: Days) {
  const known = [days];
  return {
    /** The parts of some days that are not known; from now on they are. */
    takeMissing(needed: readonly Days[]): readonly Days[] {
      const missing = needed.flatMap((span) => known.reduce(subtract, [span]));
      known.push(...missing);
      return missing;
    },
  };
}

/** What is left of spans without another one. */
const subtract = (spans: readonly Days[], { from, to }: Days): Days[] =>
  spans.flatMap((span) => {
    if (span.to < from || span.from > to) return [span];
    const before = { from: span.from, to: addDays(from, -1) };
    const after = { from: addDays(to, 1), to: span.to };
    return [before, after].filter((part) => part.from <= part.to);
  });
