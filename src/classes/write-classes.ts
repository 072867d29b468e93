/** Classes as a table, as polygons (GeoJSON) and as an image of their numbers (GeoTIFF, cloud optimised). */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rasterizeArea } from '../areas/index.ts';
import { toFileCrs } from '../exports/index.ts';
import { createCog } from '../formats/cog/index.ts';
import type { AreaOutline, Grid, MultiPolygonGeometry } from '../geo/index.ts';
import type { Patch } from '../numbers/index.ts';
import { tracePatches } from '../numbers/index.ts';
import type { JobHandlers, JobType } from '../pool/index.ts';
import { withTransfer } from '../pool/index.ts';
import { makeToLonLat } from '../zonal/measuring.ts';
import type { ClassifiedPixels, ClassifyRequest } from './classify-pixels.ts';
import { classifyPixels } from './classify-pixels.ts';
import { unsupported } from './errors.ts';

/** The file that is wanted; plain JSON. */
export interface ClassesFile {
  readonly kind: 'json' | 'geojson' | 'geotiff';
  /** Members of the answer beside those of the classes. */
  readonly about: Readonly<Record<string, unknown>>;
  /** What classes are called and how they are shown, from the lowest on; null for none. */
  readonly legend: readonly { readonly label: string; readonly color: string }[] | null;
}

const round = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(9)));

/** The bytes of the file. */
export async function writeClasses(
  found: ClassifiedPixels,
  grid: Grid,
  file: ClassesFile,
): Promise<Uint8Array<ArrayBuffer>> {
  switch (file.kind) {
    case 'json':
      return toText({ ...toMembers(found, file), classes: toTable(found, file) });
    case 'geojson':
      return toText({
        type: 'FeatureCollection',
        ...toMembers(found, file),
        features: toFeatures(found, grid, file),
      });
    case 'geotiff':
      return writeImage(found, grid, file);
  }
}

const toText = (body: object): Uint8Array<ArrayBuffer> => new TextEncoder().encode(JSON.stringify(body));

/** Everything but the classes. */
function toMembers(found: ClassifiedPixels, { about }: ClassesFile) {
  const { thresholds, separability, histogram, area, clear } = found;
  return {
    ...about,
    thresholds: thresholds.map(round),
    separability: round(separability),
    area: {
      pixels: area.pixels,
      hectares: round(area.hectares),
      km2: round(area.hectares / 100),
      clear_percent: round(area.hectares === 0 ? 0 : (100 * clear.hectares) / area.hectares),
    },
    histogram: { ...histogram, min: round(histogram.min), max: round(histogram.max) },
  };
}

const toTable = ({ measured }: ClassifiedPixels, { legend }: ClassesFile) =>
  measured.map(({ number, from, to, pixels, hectares, percent, mean }) => ({
    class: number,
    ...(legend?.length === measured.length ? legend[number - 1] : {}),
    from: round(from),
    to: round(to),
    pixels,
    hectares: round(hectares),
    km2: round(hectares / 100),
    percent: round(percent),
    mean: round(mean),
  }));

/** Corners of the polygons of one answer: some 20 MB of text. */
const MAX_CORNERS = 600_000;

function toFeatures(found: ClassifiedPixels, grid: Grid, file: ClassesFile) {
  const { classes } = found;
  const map = { width: grid.width, height: grid.height, classes };
  const corners = countCorners(map);
  if (corners > MAX_CORNERS) {
    throw unsupported(
      'too-many-corners',
      `The polygons would have ${corners} corners; ${MAX_CORNERS} is the limit. Order a GeoTIFF, or a larger smallest patch.`,
    );
  }
  const work = tracePatches(map);
  let step = work.next();
  while (!step.done) step = work.next();
  const patches: readonly Patch[] = step.value;
  const toLonLat = makeToLonLat(grid);
  return toTable(found, file).map((properties) => {
    const own = patches.filter((patch) => patch.class === properties.class);
    const geometry: MultiPolygonGeometry = {
      type: 'MultiPolygon',
      coordinates: own.map(({ rings }) => rings.map((ring) => ring.map(toLonLat))),
    };
    return {
      type: 'Feature',
      id: properties.class,
      properties: { ...properties, patches: own.length },
      geometry,
    };
  });
}

/** An upper bound of the corners of all rings, before one is made: those of noise would fill the memory. */
export function countCorners({
  width,
  height,
  classes,
}: {
  readonly width: number;
  readonly height: number;
  readonly classes: Uint8Array;
}): number {
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : classes[y * width + x]!;
  let corners = 0;
  for (let y = 0; y <= height; y++) {
    for (let x = 0; x <= width; x++) {
      const [a, b, c, d] = [at(x - 1, y - 1), at(x, y - 1), at(x, y), at(x - 1, y)];
      if (a === b && b === c && c === d) continue;
      const changes = Number(a !== b) + Number(b !== c) + Number(c !== d) + Number(d !== a);
      // A straight border between two classes has no corner here.
      if (changes === 2 && ((a === b && c === d) || (a === d && b === c))) continue;
      corners += changes;
    }
  }
  return corners;
}

/** The class numbers as bytes; 0 means no data. */
async function writeImage(
  found: ClassifiedPixels,
  grid: Grid,
  file: ClassesFile,
): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'swath-classes-'));
  try {
    const path = join(folder, 'classes.tif');
    const { width, height, transform } = grid;
    const cog = await createCog(path, {
      width,
      height,
      bandCount: 1,
      type: 'uint8',
      ...(toFileCrs(grid) ?? { epsg: null }),
      transform,
      nodata: 0,
      compression: 'deflate',
      predictor: 1,
      overviewMethod: 'nearest',
      isDurable: false,
      bands: [{ description: 'class' }],
      metadata: Object.fromEntries(
        toTable(found, file).map(({ class: number, label, from, to }) => [
          `CLASS_${number}`,
          [label ?? `class ${number}`, from === null ? '' : `from ${from}`, to === null ? '' : `below ${to}`]
            .filter((part) => part !== '')
            .join(', '),
        ]),
      ),
    });
    try {
      await cog.writeRows([found.classes], height);
      await cog.finish();
    } finally {
      await cog.abort();
    }
    // A copy: small files share one buffer, which cannot be moved to another thread.
    return new Uint8Array(await readFile(path));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The job that classifies the pixels of an area and writes the answer. */

/** The input of the job. */
export interface ClassifyJob extends Omit<ClassifyRequest, 'inside'> {
  /** Lies in shared memory. */
  readonly outline: AreaOutline;
  readonly file: ClassesFile;
}

/** The kind of job; it gives the bytes of the file. */
export type ClassJobs = { 'classify-pixels': JobType<ClassifyJob, Uint8Array<ArrayBuffer>> };

/** What does it. */
export const classJobs: JobHandlers<ClassJobs> = {
  async 'classify-pixels'({ outline, file, ...request }) {
    const inside = rasterizeArea(outline, request.grid, { isExact: true });
    const bytes = await writeClasses(classifyPixels({ ...request, inside }), request.grid, file);
    return withTransfer(bytes, [bytes.buffer]);
  },
};
