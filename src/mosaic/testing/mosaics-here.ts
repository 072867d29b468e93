/** Mosaics of scenes in memory, on this thread: a catalog, files and a pool that tests can look into. */
import type { ReadWindow, ThreadTools } from '../../blocks/index.ts';
import type { Asset, HitPage, Scene, SceneHit, SceneQuery } from '../../catalog/index.ts';
import { compareScenes, matchesFilters, toMatchedFields, toScene } from '../../catalog/index.ts';
import type { AreaGeometry, Grid, LonLat } from '../../geo/index.ts';
import { relates, scaleAffine } from '../../geo/index.ts';
import { aTicket, makeRunnerHere } from '../../pool/testing/run-here.ts';
import { makeProjection } from '../../proj/index.ts';
import { loadKernels } from '../../raster/index.ts';
import type { PlannedPicture, Renderer, RenderOptions } from '../../render/index.ts';
import { planPicture } from '../../render/pictures/plan-picture.ts';
import { toEtag } from '../../render/plan/render-plan.ts';
import type { Composed, ComposeJob, ComposeJobs } from '../compose-job.ts';
import type { MosaicPictureRequest } from '../mosaic.ts';
import { makeMosaicJobs } from '../mosaic-jobs.ts';
import { makeMosaics } from '../mosaics.ts';
import { july, newest } from './a-mosaic.ts';

type ValueAt = (column: number, row: number) => number;

/** A scene of Sentinel-2 L2A as a test describes it; functions take pixels of the scene's own grid. */
export interface TestScene {
  /** The day in July 2026, which is the scene's name too. */
  readonly day: number;
  readonly grid: Grid;
  /** By band; 0 means that there is no data. */
  readonly bands: Readonly<Record<string, ValueAt>>;
  /** Classes of SCL, 4 (vegetation) by default; 9 is a cloud, 3 a shadow. */
  readonly classAt?: ValueAt;
  /** Pixels of the bands to one of SCL. */
  readonly classPx?: number;
  readonly cloudPercent?: number;
  /** The whole grid by default. */
  readonly footprint?: AreaGeometry;
  /** Differs when the files are replaced. */
  readonly edition?: string;
  readonly month?: number;
}

/** The centre of the UTM zone 31, where its grid is parallel to that of the map. */
export const NATIVE: Grid = {
  epsg: 32631,
  transform: [500_000, 10, 0, 4_600_000, 0, -10],
  width: 64,
  height: 64,
};

/** Part of a grid, by its pixels. */
export const cutGrid = (grid: Grid, x: number, y: number, width: number, height: number): Grid => {
  const [left, stepX, , top, , stepY] = grid.transform;
  return { ...grid, transform: [left + x * stepX, stepX, 0, top + y * stepY, 0, stepY], width, height };
};

export const everywhere =
  (value: number): ValueAt =>
  () =>
    value;

export const options: RenderOptions = {
  format: 'png',
  method: 'near',
  range: { min: 0, max: 10_000 },
  calibrated: false,
  isComposite: false,
  color: {},
  area: null,
  watermark: null,
};

/** A request for a picture of B04 on a grid in July. */
export const requestOn = (grid: Grid, more: Partial<MosaicPictureRequest> = {}): MosaicPictureRequest => ({
  search: july,
  composition: newest,
  bands: 'B04',
  grid,
  options,
  ...more,
});

/** The view id of a day's scene. */
export const viewIdOf = (day: number, month = 7): string => `S2L2A/31/T/DH/2026/${month}/${day}/0`;

interface Image {
  readonly pixels: Uint16Array;
  readonly width: number;
  readonly height: number;
}

/** A grid's corners in degrees. */
function toFootprint({ epsg, transform: [left, stepX, , top, , stepY], width, height }: Grid): AreaGeometry {
  const { forward } = makeProjection(epsg, 4326);
  const [right, bottom] = [left + width * stepX, top + height * stepY];
  const corners = [
    [left, top],
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
  ] as const;
  return { type: 'Polygon', coordinates: [corners.map(([x, y]): LonLat => forward(x, y) as LonLat)] };
}

function toImage({ width, height }: Pick<Grid, 'width' | 'height'>, valueAt: ValueAt): Image {
  const pixels = new Uint16Array(width * height).map((_, i) => valueAt(i % width, Math.floor(i / width)));
  return { pixels, width, height };
}

function toRecord(test: TestScene): Scene {
  const { day, grid, bands, classPx = 2, cloudPercent = day, edition = 'first', month = 7 } = test;
  const classGrid = { width: grid.width / classPx, height: grid.height / classPx };
  const toAsset = (band: string): Asset => {
    const size = band === 'SCL' ? classGrid : { width: grid.width, height: grid.height };
    return {
      href: `${viewIdOf(day, month)}/${edition}/${band}.tif`,
      bandIndex: 0,
      epsg: grid.epsg,
      transform: scaleAffine(grid.transform, grid, size),
      ...size,
      type: 'uint16',
      nodata: 0,
      scale: 1,
      offset: 0,
      overviews: [],
    };
  };
  const date = `2026-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const names = [...Object.keys(bands), 'SCL'];
  return toScene({
    viewId: viewIdOf(day, month),
    sceneId: `S2A_31TDH_${date}`,
    dataset: 'sentinel2l2a',
    acquiredAt: `${date}T10:50:31.000Z`,
    footprint: test.footprint ?? toFootprint(grid),
    cloudPercent,
    sunElevationDeg: 60,
    sunAzimuthDeg: 135,
    coveragePercent: 100,
    fields: { cloudCoverage: cloudPercent },
    assets: Object.fromEntries(names.map((name) => [name, toAsset(name)])),
    provenance: 'test',
    cloudMask: { kind: 'classes', band: 'SCL' },
  });
}

/** Faults of files: called before a window is read. */
type BeforeRead = (href: string) => void;

/** Builds mosaics over scenes that a test puts into the catalog. */
export function makeMosaicsHere(...given: readonly TestScene[]) {
  const records = new Map<string, Scene>();
  const images = new Map<string, Image>();
  const reads: string[] = [];
  const renewed: string[] = [];
  let beforeRead: BeforeRead = () => {};
  let measured = 0;
  let clockMs = 0;
  let isShared = false;
  let isFull = false;

  function put(test: TestScene): Scene {
    const record = toRecord(test);
    const { grid, bands, classAt = everywhere(4), classPx = 2 } = test;
    for (const [band, { href }] of Object.entries(record.assets)) {
      const inClass: ValueAt = (column, row) => classAt(column * classPx, row * classPx);
      const size = { width: grid.width / classPx, height: grid.height / classPx };
      images.set(href, band === 'SCL' ? toImage(size, inClass) : toImage(grid, bands[band]!));
    }
    records.set(record.viewId, record);
    return record;
  }
  for (const scene of given) put(scene);

  const readWindow: ReadWindow = async ({ href, read: { window } }, sink) => {
    beforeRead(href);
    reads.push(href.replace(/^.*\/7\/(\d+)\/0\/[^/]*\/(.*)\.tif$/, '$1 $2'));
    const image = images.get(href);
    if (image === undefined) throw new Error(`no file ${href}`);
    sink.begin();
    sink.add({ ...image, corner: { x: -window.x, y: -window.y }, mask: null });
  };
  const kernels = loadKernels();
  const tools = { readWindow, kernels, open: () => Promise.reject(new Error('no other file')) };
  const { compose } = makeMosaicJobs(tools as Partial<ThreadTools> as ThreadTools);

  const renderer: Pick<Renderer, 'plan' | 'findContrast'> = {
    async plan(request): Promise<PlannedPicture> {
      const scene = records.get(request.viewId);
      if (scene === undefined) throw new Error(`no scene ${request.viewId}`);
      const plan = planPicture(request, scene);
      return { plan, scene, etag: toEtag(plan), outline: null, request };
    },
    async findContrast({ plan }) {
      measured += 1;
      return plan.stretches.map(() => ({ min: 0, max: 10_000 }));
    },
  };

  const scenes = {
    async searchHits({ datasets, shape, sort, limit }: SceneQuery): Promise<HitPage> {
      const found = [...records.values()]
        .filter((scene) =>
          datasets.some(
            ({ id, filters }) => id === scene.dataset && matchesFilters(toMatchedFields(scene), filters),
          ),
        )
        .filter(({ footprint }) => shape === undefined || relates(footprint, shape.geometry, shape.relation))
        .toSorted((a, b) => compareScenes(a, b, sort));
      return { found: found.length, hits: found.slice(0, limit) as SceneHit[] };
    },
  };

  const pool = makeRunnerHere<ComposeJobs>({ compose });
  const stored = new Map<string, { readonly bytes: Uint8Array<ArrayBuffer>; readonly meta: string }>();
  const mosaics = makeMosaics({
    pyramids: null,
    scenes,
    renderer,
    watch: {
      async renew({ viewId }) {
        renewed.push(viewId);
      },
    },
    pool: {
      run: async (kind, input, ticket) => ({ ...(await pool.run(kind, input, ticket)), shared: isShared }),
    },
    results: {
      find: async (name) => stored.get(name) ?? null,
      store(name, result) {
        if (isFull) return false;
        stored.set(name, result as typeof result & { readonly bytes: Uint8Array<ArrayBuffer> });
        return true;
      },
      stats: () => {
        throw new Error('nobody counts');
      },
      settled: async () => {},
    },
    nowMs: () => clockMs,
  });

  return {
    mosaics,
    renderer,
    pool,
    put,
    /** All scenes of the catalog. */
    search: (): { readonly hits: readonly SceneHit[] } => ({ hits: [...records.values()] }),
    /** From now on other requests wait for each job too. */
    shareJobs(): void {
      isShared = true;
    },
    /** From now on the cache takes no picture. */
    fillCache(): void {
      isFull = true;
    },
    /** Names of finished pictures in the cache. */
    stored,
    /** View ids of the scenes whose files were read again. */
    renewed,
    countMeasured: () => measured,
    /** Days and bands of the windows since the last call, in their order. */
    takeReads: (): readonly string[] => reads.splice(0),
    /** What happens before each window is read. */
    onRead(action: BeforeRead): void {
      beforeRead = action;
    },
    /** Searches are shared for some seconds. */
    passTime(ms: number): void {
      clockMs += ms;
    },
    /** Runs one job, as a thread does. */
    async run(job: ComposeJob): Promise<Composed> {
      const { signal } = aTicket;
      const result = await compose(structuredClone(job), {
        signal,
        cancelled: () => false,
        report: () => {},
      });
      return (result as unknown as { readonly output: Composed }).output;
    },
    async readValues(request: MosaicPictureRequest) {
      return mosaics.readValues(await mosaics.plan(request), null, aTicket);
    },
  };
}

/** Mosaics with a window into their files. */
export type MosaicsHere = ReturnType<typeof makeMosaicsHere>;
