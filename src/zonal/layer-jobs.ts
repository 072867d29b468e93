/** A layer: the values of an expression of a scene, on the pixels around an area. One job reads one. */
import { rasterizeArea } from '../areas/index.ts';
import type { JobReads, ThreadTools } from '../blocks/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import { CLOUD_FLAGS } from './collect-values.ts';
import type { MeasuredPiece } from './measure-scene.ts';
import { makeMeasureTools, readPiece, toPieceReads } from './measure-scene.ts';

/** A part of a layer that is read at once. */
export interface LayerPiece {
  readonly piece: MeasuredPiece;
  /** Where it lies in the window around the area. */
  readonly at: PixelWindow;
}

/** The input of the job that reads a layer. */
export interface LayerJob {
  /** Lies in shared memory. */
  readonly outline: AreaOutline;
  /** The window around the area. */
  readonly grid: Grid;
  readonly pieces: readonly LayerPiece[];
}

/** A scene on the pixels around an area. */
export interface ReadLayer {
  /** In shared memory, because another thread works with it; NaN outside the area, under clouds and without data. */
  readonly layer: Float32Array;
  /** Pixels of the area, and how many of them have a value. */
  readonly areaPx: number;
  readonly clearPx: number;
}

/** The job that reads a layer. */
export type LayerJobs = { 'read-layer': JobType<LayerJob, ReadLayer> };

/** What the job reads from files, so that it can be fetched before the job takes a thread. */
export const layerReads: JobReads<LayerJobs> = {
  'read-layer': ({ pieces }) => pieces.flatMap(({ piece }) => toPieceReads(piece)),
};

/** Builds the handler of that job for one thread. */
export function makeLayerJobs(thread: ThreadTools): JobHandlers<LayerJobs> {
  const tools = makeMeasureTools(thread);
  const { kernels } = tools;
  return {
    async 'read-layer'({ outline, grid, pieces }, { signal }) {
      const inside = rasterizeArea(outline, grid, { isExact: true });
      const layer = new Float32Array(new SharedArrayBuffer(4 * inside.length)).fill(Number.NaN);
      for (const { piece, at } of pieces) {
        const read = await readPiece(piece, { freeAt: 0, signal }, tools);
        const plane = read?.channels[0];
        if (read === null || plane === undefined) continue;
        const size = at.width * at.height;
        const values = new Float32Array(kernels.buffer(), plane.valuesAt, size);
        const mask = new Uint8Array(kernels.buffer(), plane.maskAt, size);
        const flags = read.flagsAt === 0 ? null : new Uint8Array(kernels.buffer(), read.flagsAt, size);
        for (let i = 0; i < size; i++) {
          const target = (at.y + Math.floor(i / at.width)) * grid.width + at.x + (i % at.width);
          const isHidden = flags !== null && (flags[i]! & (CLOUD_FLAGS.masked | CLOUD_FLAGS.noData)) !== 0;
          const value = values[i]!;
          if (inside[target] === 1 && mask[i] !== 0 && !isHidden && Number.isFinite(value))
            layer[target] = value;
        }
      }
      let [areaPx, clearPx] = [0, 0];
      for (let i = 0; i < inside.length; i++) {
        areaPx += inside[i]!;
        if (!Number.isNaN(layer[i])) clearPx++;
      }
      return { layer, areaPx, clearPx };
    },
  };
}
