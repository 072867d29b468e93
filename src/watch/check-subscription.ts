import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SceneHit, SceneStore } from '../catalog/index.ts';
import { coverWithCells } from '../catalog/index.ts';
import { isInterruption } from '../errors.ts';
import type { LonLatBounds } from '../geo/index.ts';
import { areasIntersect, geometryBounds } from '../geo/index.ts';
import type { Ticket } from '../pool/index.ts';
import type { Days, Fired, SceneReadings } from './judge.ts';
import { addDays, listPastDays } from './judge.ts';
import type { PeriodSight, Sight } from './list-sights.ts';
import { makeListSights } from './list-sights.ts';
import type { MeasureMosaic } from './measure-mosaic.ts';
import type { PackedReadings } from './readings.ts';
import { openReadings, packReadings } from './readings.ts';
import type { Condition, Reading, Subscription, WatchEvent, WatchedShape } from './subscription.ts';
import type { WatchedScene, WatchStore } from './watch-store.ts';

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
  readonly measureMosaic: MeasureMosaic;
  readonly judgeScene: JudgeScene;
  readonly now: () => Date;
  /** Called with what a scene says of the fields of a subscription, for each expression; absent in a dry run. Not for mosaics. */
  readonly onReadings?: (
    subscription: Subscription,
    scene: SceneHit,
    readings: readonly (readonly Reading[])[],
  ) => void;
  /** Called for a scene or a period that could not be measured; a later check tries it again. */
  readonly onFailure: (name: string, error: unknown) => void;
}

/** How far a check is, in scenes or periods. */
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
  /** Scenes or periods that were measured, without those of the past. */
  readonly scenes: number;
  readonly failed: number;
  readonly fired: number;
  /** False if `onScene` ended it early. */
  readonly isWhole: boolean;
}

/** What is looked at between two turns of the event loop. */
const SHAPES_AT_ONCE = 200;

/**
 * Measures what is new in the scenes of some days, oldest first, and stores the events. Scenes before those days are
 * measured where a condition looks back at them; they make no events. With a mosaic, periods take the place of scenes.
 */
export function makeCheckSubscription(deps: CheckDeps) {
  return async (subscription: Subscription, days: Days, run: CheckRun): Promise<Checked> => {
    const shapes = await deps.listShapes(subscription);
    const cells = coverWithCells(shapes.map(({ geometry }): LonLatBounds => geometryBounds(geometry)));
    if (cells === null) return { scenes: 0, failed: 0, fired: 0, isWhole: true };
    const check = makeSightCheck(deps, { subscription, shapes, run });
    const listSights = makeListSights(deps, { subscription, cells });
    const fresh = await listSights(days);
    const past = makePast(days);
    let [scenes, failed, fired] = [0, 0, 0];
    for (const [done, sight] of fresh.entries()) {
      run.ticket.signal?.throwIfAborted();
      const needed = listPastDays(subscription.condition, sight.day);
      for (const missing of past.takeMissing(needed)) {
        for (const earlier of await listSights(missing)) {
          const isStored = (await check(earlier, { needed: null })) !== null;
          if (!(await run.onScene({ done, total: fresh.length, isStored })))
            return { scenes, failed, fired, isWhole: false };
        }
      }
      const made = await check(sight, { needed });
      if (made === null) failed += 1;
      else [scenes, fired] = [scenes + 1, fired + made];
      if (!(await run.onScene({ done: done + 1, total: fresh.length, isStored: made !== null })))
        return { scenes, failed, fired, isWhole: false };
    }
    return { scenes, failed, fired, isWhole: true };
  };
}

interface SightCheckContext {
  readonly subscription: Subscription;
  readonly shapes: readonly WatchedShape[];
  readonly run: CheckRun;
}

/** What was measured, and its events: those of fields that were measured now. */
interface Measured {
  readonly readings: readonly PackedReadings[];
  /** Null for a field that keeps the value of an earlier time. */
  readonly toScenes: (fieldId: string, expression: number) => readonly SceneHit[] | null;
}

/** Builds the check of one sight: it measures and stores it, and gives the number of events; null if it could not be measured. */
function makeSightCheck(deps: CheckDeps, { subscription, shapes, run }: SightCheckContext) {
  const { store } = deps;
  const byId = new Map(shapes.map((shape) => [shape.id, shape]));
  const { value, condition } = subscription;

  async function measureScene(hit: SceneHit): Promise<Measured> {
    const readings = await deps.measureScene(hit, { shapes, value }, run.ticket);
    deps.onReadings?.(subscription, hit, readings);
    const own = [hit];
    return { readings: readings.map(packReadings), toScenes: () => own };
  }

  /** Measures the fields that the new scenes show; the others keep the values that they had. */
  async function measurePeriod({
    name,
    day,
    period,
    mosaic,
    fresh,
    isAgain,
  }: PeriodSight): Promise<Measured> {
    const touched = isAgain ? await findTouched(shapes, fresh) : shapes;
    const measured = await deps.measureMosaic(period, { shapes: touched, value, mosaic }, run.ticket);
    const scenes = measured.map((found) => new Map(found.map((one) => [one.fieldId, one.scenes])));
    const before = isAgain
      ? (await store.listMeasured(subscription.id, { from: day, to: day })).find((one) => one.viewId === name)
      : undefined;
    const again = new Set(touched.map(({ id }) => id));
    const readings = measured.map((found, i) => {
      const kept = openReadings(before?.readings[i] ?? packReadings([]));
      const others = Array.from({ length: kept.count }, (_, n) => ({
        fieldId: kept.idAt(n),
        value: kept.valueAt(n),
      })).filter(({ fieldId }) => !again.has(fieldId));
      return packReadings([...found, ...others]);
    });
    return { readings, toScenes: (fieldId, i) => scenes[i]?.get(fieldId) ?? null };
  }

  /** The events of a sight, expression by expression. */
  async function judgeNow(
    sight: Sight,
    { readings, toScenes }: Measured,
    needed: readonly Days[],
  ): Promise<readonly WatchEvent[]> {
    if (readings.every(({ byteLength }) => byteLength === 0)) return [];
    const past: WatchedScene[] = [];
    for (const days of needed) past.push(...(await store.listMeasured(subscription.id, days)));
    const events: WatchEvent[] = [];
    for (const [i, expression] of value.expressions.entries()) {
      const pick = (seen: Pick<WatchedScene, 'day' | 'readings'>): SceneReadings => ({
        day: seen.day,
        readings: seen.readings[i] ?? packReadings([]),
      });
      const input = { condition, scene: pick({ day: sight.day, readings }), past: past.map(pick) };
      for (const fired of await deps.judgeScene(input, run.ticket)) {
        const made = toScenes(fired.fieldId, i);
        if (made !== null) events.push(toEvent(sight, fired, { expression, scenes: made }));
      }
    }
    return events;
  }

  function toEvent(
    sight: Sight,
    { fieldId, value: found, compared }: Fired,
    { expression, scenes }: { readonly expression: string; readonly scenes: readonly SceneHit[] },
  ): WatchEvent {
    const shape = byId.get(fieldId);
    const { viewId, sceneId, dataset, acquiredAt } = scenes.reduce((newest, hit) =>
      hit.acquiredAt > newest.acquiredAt ? hit : newest,
    );
    // Two scenes of one pass show the fields where they overlap: that is one event.
    const named = [subscription.id, fieldId, sight.kind === 'scene' ? dataset : 'mosaic'];
    named.push(sight.kind === 'scene' ? sight.day : sight.name);
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
      ...(sight.kind === 'scene'
        ? {}
        : { mosaic: { period: sight.name, viewIds: scenes.map((hit) => hit.viewId) } }),
    };
  }

  return async (
    sight: Sight,
    { needed }: { readonly needed: readonly Days[] | null },
  ): Promise<number | null> => {
    let measured: Measured;
    try {
      measured = await (sight.kind === 'scene' ? measureScene(sight.hit) : measurePeriod(sight));
    } catch (error) {
      if (isInterruption(error)) throw error;
      deps.onFailure(sight.name, error);
      return null;
    }
    const events = needed === null ? [] : await judgeNow(sight, measured, needed);
    const scene = {
      viewId: sight.name,
      day: sight.day,
      sources: sight.kind === 'scene' ? [] : sight.period.scenes.map(({ viewId }) => viewId),
      readings: measured.readings,
    };
    const isStored = await store.commit(subscription.id, scene, { events, at: deps.now().toISOString() });
    return isStored ? events.length : 0;
  };
}

/** The shapes that some scenes show. */
async function findTouched(
  shapes: readonly WatchedShape[],
  scenes: readonly SceneHit[],
): Promise<readonly WatchedShape[]> {
  const touched: WatchedShape[] = [];
  for (const [i, shape] of shapes.entries()) {
    if (i % SHAPES_AT_ONCE === 0) await nextTurn();
    if (scenes.some(({ footprint }) => areasIntersect(footprint, shape.geometry))) touched.push(shape);
  }
  return touched;
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
