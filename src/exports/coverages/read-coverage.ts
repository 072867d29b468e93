import { splitExpressions } from '../../bandmath/index.ts';
import type { SceneHit } from '../../catalog/index.ts';
import { encodeFloatTiff } from '../../formats/tiff/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { Mosaic, Mosaics } from '../../mosaic/index.ts';
import type { JobHandlers, JobRunner, JobType, Ticket } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import { planExpressions } from '../../render/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { badInput, internal, unsupported } from '../errors.ts';
import type { PartPixels } from '../mosaics/encode-mosaic-part.ts';
import { fillPixels, makePixels } from '../mosaics/fill-pixels.ts';
import { toBlockRequest } from '../mosaics/mosaic-order.ts';
import { numberScenes } from '../mosaics/mosaic-scenes.ts';

/** Values of a mosaic or of one scene on a grid, for a caller who waits. */
export interface CoverageOrder {
  readonly mosaic: Pick<Mosaic, 'search' | 'composition'>;
  /** The only scene; null for all that the mosaic finds. */
  readonly scene: SceneHit | null;
  /** Bands, aliases or indices, separated by commas. */
  readonly bands: string;
  /** Whether numbers are physical ones, and not those of the files. */
  readonly calibrated: boolean;
  readonly grid: Grid;
}

/** Makes the file. */
export type ReadCoverage = (order: CoverageOrder, ticket: Ticket) => Promise<Uint8Array<ArrayBuffer>>;

/** Numbers of one answer: 64 MiB before they are compressed. */
export const MAX_COVERAGE_SAMPLES = 2 ** 24;

/** Scenes of one answer: more of them take longer than a caller waits. */
const MAX_SCENES = 200;

type ValuePixels = Extract<PartPixels, { readonly kind: 'values' }>;

interface CoverageJob {
  readonly pixels: readonly ValuePixels[];
  readonly grid: Grid;
}

/** The job that encodes a coverage. */
export type CoverageJobs = { 'export-coverage': JobType<CoverageJob, Uint8Array<ArrayBuffer>> };

/** Its handler, for a thread. */
export const coverageJobs: JobHandlers<CoverageJobs> = {
  'export-coverage'({ pixels, grid }) {
    const { width, height, epsg, transform } = grid;
    const bands = pixels.flatMap(({ channels, mask }) =>
      channels.map((values) => values.map((value, i) => (mask[i] === 1 ? value : Number.NaN))),
    );
    const bytes = encodeFloatTiff({ bands, width, height, epsg, transform });
    return withTransfer(bytes, [bytes.buffer]);
  },
};

interface CoverageDeps {
  readonly mosaics: Mosaics;
  readonly pool: JobRunner<CoverageJobs>;
}

/** Blocks of one answer that are read at the same time: one caller must not hold all threads. */
const BLOCKS_AT_ONCE = 2;

/**
 * Builds the reading of coverages: the blocks of files of mosaics, put together in memory and sent as a GeoTIFF of float32
 * with NaN where there is nothing.
 */
export function makeReadCoverage({ mosaics, pool }: CoverageDeps): ReadCoverage {
  return async ({ mosaic, scene, bands, calibrated, grid }, ticket) => {
    const groups = toGroups(mosaic, bands);
    const channels = groups.reduce((sum, group) => sum + group.channels, 0);
    const count = grid.width * grid.height;
    if (count * channels > MAX_COVERAGE_SAMPLES) {
      throw badInput(
        'coverage-too-large',
        `The coverage would have ${grid.width} × ${grid.height} pixels of ${channels} bands; ${MAX_COVERAGE_SAMPLES} numbers are the limit. Ask for less ground, larger pixels or fewer bands, or order a file.`,
        { details: { width: grid.width, height: grid.height, bands: channels, limit: MAX_COVERAGE_SAMPLES } },
      );
    }
    const scenes = scene === null ? await mosaics.findScenes(mosaic, grid, MAX_SCENES + 1) : [scene];
    if (scenes.length > MAX_SCENES) {
      throw badInput(
        'coverage-too-large',
        `The coverage would be made of more than ${MAX_SCENES} scenes. Ask for less ground or fewer days, or order a file.`,
        { details: { limit: MAX_SCENES } },
      );
    }
    const numbers = numberScenes(scenes);
    const area = { kind: 'bounds', bounds: { minX: 0, minY: 0, maxX: 0, maxY: 0 } } as const;
    const content = { kind: 'values', areBands: false, calibrated } as const;
    const window = { x: 0, y: 0, width: grid.width, height: grid.height };
    const filling = { window, ticket, atOnce: BLOCKS_AT_ONCE, onBlock() {} };
    const read: ValuePixels[] = [];
    for (const group of groups) {
      const kind = { kind: 'values', channels: group.channels } as const;
      const request = toBlockRequest({ mosaic, bands: group.bands, area, content });
      const source = {
        mosaics,
        request,
        scenes: numbers.all,
        outline: null,
        grid,
        numbers,
        used: numbers.begin(),
        kind,
      };
      const pixels = await fillPixels(source, filling, makePixels(kind, count));
      if (pixels.kind !== 'values') throw internal('not-values', 'A coverage was filled with a picture.');
      read.push(pixels);
    }
    // Each band is copied twice on its way through the predictor and the compression.
    const bytes = 4 * count * (channels + 3);
    const { output } = await pool.run('export-coverage', { pixels: read, grid }, { ...ticket, bytes });
    return output;
  };
}

/** Bands that are read together. */
interface BandGroup {
  readonly bands: string;
  readonly channels: number;
}

/** Channels that scenes are put together of at once. */
const MAX_CHANNELS = 4;

/** All bands in their order; refuses what the sensors do not know. */
function toGroups({ search: { datasets } }: CoverageOrder['mosaic'], bands: string): readonly BandGroup[] {
  const groups: BandGroup[] = [];
  for (const one of splitExpressions(bands)) {
    const channels = Math.max(...datasets.map((dataset) => countChannels(dataset, one)));
    const last = groups.at(-1);
    if (last === undefined || last.channels + channels > MAX_CHANNELS) groups.push({ bands: one, channels });
    else groups.splice(-1, 1, { bands: `${last.bands},${one}`, channels: last.channels + channels });
  }
  return groups;
}

function countChannels(dataset: string, bands: string): number {
  const sensor = sensorByDataset(dataset);
  if (sensor === null) throw badInput('unknown-sensor', `There is no sensor ${dataset}.`);
  const tree = planExpressions({ bands, sensor, isComposite: false, areValues: true });
  if (!tree.needsWindow) return tree.outputs.length;
  const why = 'An expression depends on the pixels around it, and a coverage is made in parts.';
  throw unsupported('needs-window', why, { details: { about: 'expressions' } });
}
