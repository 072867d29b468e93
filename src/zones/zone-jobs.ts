/** The jobs of zones: one reads a scene on the pixels of the field, the other divides the field and writes the answer. */
import { rasterizeArea } from '../areas/index.ts';
import type { JobReads, ThreadTools } from '../blocks/index.ts';
import type { AreaOutline, Grid } from '../geo/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import type { PixelWindow } from '../raster/index.ts';
import type { MeasuredPiece } from '../zonal/measuring.ts';
import { CLOUD_FLAGS, makeMeasureTools, readPiece, toPieceReads } from '../zonal/measuring.ts';
import type { Layer } from './combine-layers.ts';
import type { ZonesRequest } from './draw-zones.ts';
import { drawZones } from './draw-zones.ts';
import type { ZonesFile } from './write-zones.ts';
import { writeZones } from './write-zones.ts';

/** A part of the field's window that is read at once. */
export interface LayerPiece {
  readonly piece: MeasuredPiece;
  /** Where it lies in the window of the field. */
  readonly at: PixelWindow;
}

/** The input of the job that reads a scene. */
export interface LayerJob {
  /** Lies in shared memory. */
  readonly outline: AreaOutline;
  /** The window of the field. */
  readonly grid: Grid;
  readonly pieces: readonly LayerPiece[];
}

/** A scene on the pixels of the field. */
export interface ReadLayer {
  /** In shared memory: another thread draws the zones. */
  readonly layer: Layer;
  /** Pixels of the field, and how many of them have a value. */
  readonly areaPx: number;
  readonly clearPx: number;
}

/** The input of the job that divides the field. */
export interface DrawJob extends Omit<ZonesRequest, 'inside'> {
  readonly outline: AreaOutline;
  readonly file: ZonesFile;
}

/** The kinds of jobs. */
export type ZoneJobs = {
  'read-zone-layer': JobType<LayerJob, ReadLayer>;
  /** The bytes of the file. */
  'draw-zones': JobType<DrawJob, Uint8Array<ArrayBuffer>>;
};

/** What the jobs read from files, so that it can be fetched before they take a thread. */
export const zoneReads: JobReads<ZoneJobs> = {
  'read-zone-layer': ({ pieces }) => pieces.flatMap(({ piece }) => toPieceReads(piece)),
};

/** Builds the job handlers for one thread. */
export function makeZoneJobs(thread: ThreadTools): JobHandlers<ZoneJobs> {
  const tools = makeMeasureTools(thread);
  const { kernels } = tools;
  return {
    async 'read-zone-layer'({ outline, grid, pieces }, { signal }) {
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
    async 'draw-zones'({ outline, file, ...request }) {
      const inside = rasterizeArea(outline, request.grid, { isExact: true });
      const bytes = await writeZones(drawZones({ ...request, inside }), file);
      return withTransfer(bytes, [bytes.buffer]);
    },
  };
}
