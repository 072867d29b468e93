import { splitExpressions } from '../../bandmath/index.ts';
import type { SceneHit } from '../../catalog/index.ts';
import { encodeFloatTiff } from '../../formats/tiff/index.ts';
import type { Grid } from '../../geo/index.ts';
import type { Mosaic, Mosaics } from '../../mosaic/index.ts';
import type { JobHandlers, JobRunner, JobType, Ticket } from '../../pool/index.ts';
import { withTransfer } from '../../pool/index.ts';
import { planExpressions } from '../../render/index.ts';
import { PIXELS_VERSION } from '../../render/native/index.ts';
import { sensorByDataset } from '../../sensors/index.ts';
import { badInput, internal, unsupported } from '../errors.ts';
import { listBandNames } from '../mosaics/band-names.ts';
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

/** A coverage whose scenes are known. */
export interface PlannedCoverage {
  /** Whatever decides the file: equal ones have equal files. */
  readonly content: string;
  /** Makes the file. */
  read(ticket: Ticket): Promise<Uint8Array<ArrayBuffer>>;
}

/** Finds the scenes of a coverage. */
export type PlanCoverage = (order: CoverageOrder) => Promise<PlannedCoverage>;

/** Bump when files change for the same order. */
const COVERAGE_VERSION = 1;

/** Numbers of one answer: 64 MiB before they are compressed. */
export const MAX_COVERAGE_SAMPLES = 2 ** 24;

/** Scenes of one answer: more of them take longer than a caller waits. */
const MAX_SCENES = 200;

type ValuePixels = Extract<PartPixels, { readonly kind: 'values' }>;

interface CoverageJob {
  readonly pixels: readonly ValuePixels[];
  readonly grid: Grid;
  /** Of all bands. */
  readonly names: readonly string[];
}

/** The job that encodes a coverage. */
export type CoverageJobs = { 'export-coverage': JobType<CoverageJob, Uint8Array<ArrayBuffer>> };

/** Its handler, for a thread. */
export const coverageJobs: JobHandlers<CoverageJobs> = {
  'export-coverage'({ pixels, grid, names }) {
    const { width, height, epsg, transform } = grid;
    const bands = pixels.flatMap(({ channels, mask }) =>
      channels.map((values) => values.map((value, i) => (mask[i] === 1 ? value : Number.NaN))),
    );
    const bytes = encodeFloatTiff({ bands, descriptions: names, width, height, epsg, transform });
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
 * Builds the planning of coverages: the blocks of files of mosaics, put together in memory and sent as a GeoTIFF of float32
 * with NaN where there is nothing.
 */
export function makePlanCoverage(deps: CoverageDeps): PlanCoverage {
  return async (order) => {
    const { mosaic, scene, bands, calibrated, grid } = order;
    const groups = toGroups(mosaic, bands);
    const channels = groups.reduce((sum, group) => sum + group.names.length, 0);
    if (grid.width * grid.height * channels > MAX_COVERAGE_SAMPLES) {
      throw badInput(
        'coverage-too-large',
        `The coverage would have ${grid.width} × ${grid.height} pixels of ${channels} bands; ${MAX_COVERAGE_SAMPLES} numbers are the limit. Ask for less ground, larger pixels or fewer bands, or order a file.`,
        { details: { width: grid.width, height: grid.height, bands: channels, limit: MAX_COVERAGE_SAMPLES } },
      );
    }
    const scenes = scene === null ? await deps.mosaics.findScenes(mosaic, grid, MAX_SCENES + 1) : [scene];
    if (scenes.length > MAX_SCENES) {
      throw badInput(
        'coverage-too-large',
        `The coverage would be made of more than ${MAX_SCENES} scenes. Ask for less ground or fewer days, or order a file.`,
        { details: { limit: MAX_SCENES } },
      );
    }
    const used = scenes.map(({ viewId, version }) => [viewId, version]);
    return {
      content: JSON.stringify({
        versions: [COVERAGE_VERSION, PIXELS_VERSION],
        composition: mosaic.composition,
        bands,
        calibrated,
        grid,
        used,
      }),
      read: (ticket) => readCoverage({ order, groups, scenes, ticket }, deps),
    };
  };
}

interface Reading {
  readonly order: CoverageOrder;
  readonly groups: readonly BandGroup[];
  readonly scenes: readonly SceneHit[];
  readonly ticket: Ticket;
}

async function readCoverage(
  { order: { mosaic, calibrated, grid }, groups, scenes, ticket }: Reading,
  { mosaics, pool }: CoverageDeps,
): Promise<Uint8Array<ArrayBuffer>> {
  const count = grid.width * grid.height;
  const numbers = numberScenes(scenes);
  const area = { kind: 'bounds', bounds: { minX: 0, minY: 0, maxX: 0, maxY: 0 } } as const;
  const content = { kind: 'values', areBands: false, calibrated } as const;
  const window = { x: 0, y: 0, width: grid.width, height: grid.height };
  const filling = { window, ticket, atOnce: BLOCKS_AT_ONCE, onBlock() {} };
  const read: ValuePixels[] = [];
  for (const group of groups) {
    const kind = { kind: 'values', channels: group.names.length } as const;
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
  const names = groups.flatMap((group) => group.names);
  // Each band is copied twice on its way through the predictor and the compression.
  const bytes = 4 * count * (names.length + 3);
  const { output } = await pool.run('export-coverage', { pixels: read, grid, names }, { ...ticket, bytes });
  return output;
}

/** Bands that are read together. */
interface BandGroup {
  readonly bands: string;
  /** One for each channel. */
  readonly names: readonly string[];
}

/** Channels that scenes are put together of at once. */
const MAX_CHANNELS = 4;

/** All bands in their order; refuses what the sensors do not know. */
function toGroups({ search: { datasets } }: CoverageOrder['mosaic'], bands: string): readonly BandGroup[] {
  const groups: BandGroup[] = [];
  for (const one of splitExpressions(bands)) {
    const [first = [], ...others] = datasets.map((dataset) => nameChannels(dataset, one));
    const names = others.reduce((most, own) => (own.length > most.length ? own : most), first);
    const last = groups.at(-1);
    if (last === undefined || last.names.length + names.length > MAX_CHANNELS)
      groups.push({ bands: one, names });
    else groups.splice(-1, 1, { bands: `${last.bands},${one}`, names: [...last.names, ...names] });
  }
  return groups;
}

function nameChannels(dataset: string, bands: string): readonly string[] {
  const sensor = sensorByDataset(dataset);
  if (sensor === null) throw badInput('unknown-sensor', `There is no sensor ${dataset}.`);
  const tree = planExpressions({ bands, sensor, isComposite: false, areValues: true });
  if (!tree.needsWindow) return listBandNames(bands, { sensor, tree });
  const why = 'An expression depends on the pixels around it, and a coverage is made in parts.';
  throw unsupported('needs-window', why, { details: { about: 'expressions' } });
}
