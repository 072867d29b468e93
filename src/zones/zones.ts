/** Management zones of a field: finds clear scenes, has them read and divided on the pool. */
import { workInOrder } from '../async/index.ts';
import type { Scene, SceneStore } from '../catalog/index.ts';
import { isSwathError } from '../errors.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import { outlineBounds } from '../geo/index.ts';
import type { JobRunner, Ticket } from '../pool/index.ts';
import type { CompareScene, FileWatch } from '../render/native/index.ts';
import { cropGrid } from '../render/native/index.ts';
import { sensorByDataset } from '../sensors/index.ts';
import { refuseExpression } from '../zonal/index.ts';
import type { LayerJobs, LayerPixels, LayerRequest, ReadLayer } from '../zonal/measuring.ts';
import { makeReadLayers, parseMeasured } from '../zonal/measuring.ts';
import type { ZoneMethod } from './classify.ts';
import { unsupported } from './errors.ts';
import type { ZonesFile } from './write-zones.ts';
import type { ZoneJobs } from './zone-jobs.ts';

/** An order of zones. */
export interface ZonesOrder {
  readonly outline: AreaOutline;
  /** The same area in its normal form, as JSON: zones end at its border. */
  readonly geometry: string;
  readonly expression: string;
  /** Scenes by their view ids, all of which are used; or a search for the newest that are clear over the field. */
  readonly scenes:
    | { readonly kind: 'named'; readonly viewIds: readonly string[] }
    | {
        readonly kind: 'found';
        readonly datasets: readonly string[];
        readonly from: string;
        readonly to: string;
        readonly limit: number;
        /** The percentage of the field that must have values. */
        readonly minClearPercent: number;
      };
  readonly count: number;
  readonly method: ZoneMethod;
  readonly smoothing: number;
  readonly minHectares: number;
  readonly tolerancePx: number;
}

/** A scene that zones are made of. */
export interface UsedScene {
  readonly viewId: string;
  readonly sceneId: string;
  readonly date: string;
  readonly clearPercent: number;
}

/** Makes zones. */
export interface ZoneMaker {
  /** The bytes of the file that `toFile` asks for, once it is known which scenes were used and on which pixels. */
  make(
    order: ZonesOrder,
    toFile: (used: readonly UsedScene[], grid: Grid) => ZonesFile,
    ticket: Ticket,
  ): Promise<Uint8Array<ArrayBuffer>>;
}

interface ZoneDeps {
  readonly scenes: Pick<SceneStore, 'search' | 'findByViewId'>;
  readonly compareScene: CompareScene;
  readonly watch: Pick<FileWatch, 'renew'>;
  readonly pool: JobRunner<ZoneJobs & LayerJobs>;
}

/** Pixels around a field: 25 km² in pixels of 10 m. */
const MAX_ZONE_PIXELS = 250_000;
/** The most scenes of one order. */
export const MAX_ZONE_SCENES = 12;
/** Scenes that are read to find enough clear ones. */
const MAX_TRIED = 48;
const READ_AT_ONCE = 4;
/** Memory of dividing a field, for each pixel of it: planes, labels, rings and the text of a polygon. */
const DRAW_BYTES_PER_PX = 1_000;

/** Builds it. */
export function makeZoneMaker({ scenes, compareScene, watch, pool }: ZoneDeps): ZoneMaker {
  const layers = makeReadLayers({ scenes, compareScene, watch, pool });

  /** The newest scenes around the field, of the sensors that have the bands. */
  async function search(
    { datasets, from, to }: Extract<ZonesOrder['scenes'], { kind: 'found' }>,
    { expression, outline }: Pick<ZonesOrder, 'expression' | 'outline'>,
  ): Promise<readonly Scene[]> {
    const sensors = datasets.map((id) => sensorByDataset(id)).filter((sensor) => sensor !== null);
    const able = sensors.filter((sensor) => refuseExpression(expression, sensor) === null);
    // Throws the reason.
    if (able.length === 0 && sensors[0] !== undefined) parseMeasured(expression, sensors[0]);
    const { west, south, east, north } = outlineBounds(outline);
    const ring: [number, number][] = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    const found = await scenes.search({
      datasets: able.map(({ dataset: id }) => ({
        id,
        filters: [{ field: 'date', kind: 'range', from, to }],
      })),
      shape: { geometry: { type: 'MultiPolygon', coordinates: [[ring]] }, relation: 'intersects' },
      sort: { field: 'date', descending: true },
      offset: 0,
      limit: MAX_TRIED,
    });
    return found.scenes;
  }

  /** The pixels that all scenes are read on: those of the first, around the field. */
  async function planField(scene: Scene, request: LayerRequest): Promise<LayerPixels | null> {
    const found = await layers.plan(scene, request);
    const pixels = found === null ? 0 : found.window.width * found.window.height;
    if (pixels > MAX_ZONE_PIXELS) {
      throw unsupported(
        'zones-too-large',
        `The area lies in a rectangle of ${pixels} pixels of ${scene.viewId}; zones are made of ${MAX_ZONE_PIXELS} at most.`,
      );
    }
    return found;
  }

  return {
    async make(order, toFile, ticket) {
      const { outline, geometry } = order;
      const named = order.scenes.kind === 'named';
      const candidates =
        order.scenes.kind === 'named'
          ? await Promise.all(order.scenes.viewIds.map(layers.find))
          : await search(order.scenes, order);
      const usable: Scene[] = [];
      let field: LayerPixels | null = null;
      for (const scene of candidates) {
        try {
          field ??= await planField(scene, order);
          usable.push(scene);
        } catch (error) {
          // A scene without a file of a band is passed over in a search.
          if (named || !isSwathError(error) || error.code === 'zones-too-large') throw error;
        }
      }
      if (candidates.length > 0 && usable.length > 0 && field === null)
        throw unsupported('area-outside-scene', 'The area lies outside of the scenes.');
      if (field === null) throw unsupported('no-clear-scene', 'No scene shows this area in this time.');
      const pixels = field;
      const limit = order.scenes.kind === 'named' ? usable.length : order.scenes.limit;
      const minClear = order.scenes.kind === 'named' ? 0 : order.scenes.minClearPercent;
      const used: (UsedScene & { readonly layer: ReadLayer['layer'] })[] = [];
      const read = workInOrder(
        usable,
        { atOnce: () => Math.min(READ_AT_ONCE, limit - used.length), signal: ticket.signal },
        async (scene, signal) => ({
          scene,
          ...(await layers.read(scene, pixels, order, { ...ticket, signal })),
        }),
      );
      for await (const { scene, layer, areaPx, clearPx } of read) {
        if (areaPx === 0)
          throw unsupported('area-too-small', 'The area holds the centre of no pixel; zones need some.');
        const clearPercent = (100 * clearPx) / areaPx;
        if (clearPercent < minClear || clearPx === 0) continue;
        const { viewId, sceneId, acquiredAt } = scene;
        used.push({ viewId, sceneId, date: acquiredAt.slice(0, 10), clearPercent, layer });
        if (used.length === limit) break;
      }
      ticket.signal?.throwIfAborted();
      if (used.length === 0) {
        throw unsupported(
          'no-clear-scene',
          `None of the ${usable.length} newest scenes is clear over this area; allow more clouds with min_clear, or a longer time.`,
        );
      }
      const grid = cropGrid(pixels.grid, pixels.window);
      const { count, method, smoothing, minHectares, tolerancePx } = order;
      const about = used.map(({ layer: _layer, ...scene }) => scene);
      const job = {
        layers: used.map(({ layer }) => layer),
        grid,
        outline,
        geometry,
        count,
        method,
        smoothing,
        minHectares,
        tolerancePx,
        file: toFile(about, grid),
      };
      const bytes = grid.width * grid.height * (DRAW_BYTES_PER_PX + 4 * used.length);
      return (await pool.run('draw-zones', job, { ...ticket, bytes })).output;
    },
  };
}
