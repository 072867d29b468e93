import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SurveyJobs, WindowRequest } from '../../blocks/index.ts';
import { makeBlockCache, makeSurveyJobs, makeThreadTools } from '../../blocks/index.ts';
import { makeResultCache } from '../../files/index.ts';
import { createCog } from '../../formats/cog/index.ts';
import type { Affine, LonLatBounds } from '../../geo/index.ts';
import { gridBounds } from '../../geo/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import { makeProjection } from '../../proj/index.ts';
import type { PixelType } from '../../raster/index.ts';
import type { DemFile, ListedDem, TerrainJobs, TerrainTileRequest } from '../index.ts';
import {
  makeFindModels,
  makeReadAreaStatistics,
  makeReadElevation,
  makeReadGrid,
  makeReadProfile,
  makeTerrainExplainer,
  makeTerrainJobs,
  makeTerrainTiles,
} from '../index.ts';
import { makeDem, makeDemFile } from './fake-dem-store.ts';

/** An image of heights to write, and what its record says. */
export interface TestImage {
  readonly dem: string;
  readonly epsg: number;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
  /** The stored number at a location of the reference system; null for a void. */
  readonly heightAt: (x: number, y: number) => number | null;
  readonly type?: PixelType;
  readonly more?: Partial<DemFile>;
}

const NODATA = -9_999;
const DEGREE_M = 111_195;

/** Elevation models in a temporary folder, and all that reads them, on this thread. */
export function makeTerrainHere() {
  const dataDir = mkdtempSync(join(tmpdir(), 'swath-dem-'));
  const files: DemFile[] = [];
  const models: ListedDem[] = [];
  const tools = makeThreadTools({
    files: { dataDir, folders: [] },
    blocks: makeBlockCache(32 * 2 ** 20).handle,
  });
  const reads: WindowRequest[] = [];
  const jobs = makeTerrainJobs({
    ...tools,
    readWindow(request, sink, signal) {
      reads.push(request);
      return tools.readWindow(request, sink, signal);
    },
  });
  const pool = makeRunnerHere<TerrainJobs & SurveyJobs>({ ...jobs, ...makeSurveyJobs(tools) });
  const lookup = {
    list: async () => models,
    forget: () => {},
    find: async ({ bounds }: { readonly bounds: LonLatBounds }) =>
      models
        .map((dem) => ({
          dem,
          files: files.filter((file) => file.dem === dem.name && meets(file.bounds, bounds)),
        }))
        .filter((found) => found.files.length > 0 || found.dem.gaps === 'sea'),
  };
  const findModels = makeFindModels({
    lookup,
    watch: { check: async () => false, renew: async () => {} },
  });
  const common = { findModels, pool, maxBytes: 256 * 2 ** 20 };
  const readGrid = makeReadGrid(common);
  const readElevation = makeReadElevation({ findModels, pool, readGrid });
  const tiles = makeTerrainTiles({ ...common, results: makeResultCache(null) });
  return {
    dataDir,
    files,
    models,
    jobs,
    /** Jobs that were asked for, and the windows that they have read. */
    asked: pool.asked,
    reads,
    tools,
    readGrid,
    tiles,
    readElevation,
    readProfile: makeReadProfile(readElevation),
    readAreaStatistics: makeReadAreaStatistics(common),
    explainer: makeTerrainExplainer(common),
    /** Adds a model; those added first rank higher. */
    addModel(name: string, more: Partial<ListedDem> = {}): void {
      const bounds = { west: -180, south: -90, east: 180, north: 90 };
      models.push({ ...makeDem(name), fileCount: 1, finestM: 30, coarsestM: 30, bounds, ...more });
    },
    async addImage(image: TestImage): Promise<DemFile> {
      const file = await writeImage(dataDir, image, files.length);
      files.push(file);
      return file;
    },
    async draw(request: TerrainTileRequest) {
      return tiles.render(await tiles.plan(request), aTicket);
    },
    remove: () => rmSync(dataDir, { recursive: true }),
  };
}

const meets = (file: LonLatBounds, bounds: LonLatBounds): boolean =>
  [-360, 0, 360].some(
    (turn) => file.west + turn <= bounds.east + 0.2 && file.east + turn >= bounds.west - 0.2,
  ) &&
  file.south <= bounds.north + 0.2 &&
  file.north >= bounds.south - 0.2;

async function writeImage(dataDir: string, image: TestImage, number: number): Promise<DemFile> {
  const { dem, epsg, transform, width, height, heightAt, type = 'float32', more = {} } = image;
  const href = `${dem}-${number}.tif`;
  const writer = await createCog(join(dataDir, href), {
    width,
    height,
    bandCount: 1,
    type,
    epsg,
    transform,
    nodata: NODATA,
    compression: 'deflate',
    predictor: type === 'float32' ? 3 : 2,
    blockSize: 256,
    isDurable: false,
  });
  const [originX, pixelWidth, , originY, , pixelHeight] = transform;
  for (let row = 0; row < height; row++) {
    const y = originY + (row + 0.5) * pixelHeight;
    const heights = Array.from(
      { length: width },
      (_, column) => heightAt(originX + (column + 0.5) * pixelWidth, y) ?? NODATA,
    );
    await writer.writeRows([type === 'float32' ? Float32Array.from(heights) : Int16Array.from(heights)], 1);
  }
  await writer.finish();
  const levels: { width: number; height: number }[] = [];
  for (let side = Math.max(width, height), scale = 2; side > 256; side /= 2, scale *= 2)
    levels.push({ width: Math.ceil(width / scale), height: Math.ceil(height / scale) });
  const { minX, minY, maxX, maxY } = gridBounds(image);
  const { forward } = makeProjection(epsg, 4326);
  const corners = [forward(minX, minY), forward(minX, maxY), forward(maxX, minY), forward(maxX, maxY)];
  const isDegrees = epsg === 4326;
  return makeDemFile(dem, 0, 0, {
    id: href,
    href,
    epsg,
    transform,
    width,
    height,
    levels,
    nodata: NODATA,
    stepM: type === 'float32' ? 0 : 1,
    resolutionM: isDegrees ? pixelWidth * DEGREE_M : pixelWidth,
    bounds: isDegrees
      ? { west: minX, south: minY, east: maxX, north: maxY }
      : {
          west: Math.min(...corners.map(([lon]) => lon)) - 0.01,
          south: Math.min(...corners.map(([, lat]) => lat)) - 0.01,
          east: Math.max(...corners.map(([lon]) => lon)) + 0.01,
          north: Math.max(...corners.map(([, lat]) => lat)) + 0.01,
        },
    stamps: [],
    ...more,
  });
}
