import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import { readBlockMask } from '../../../src/formats/tiff/blocks/block-mask.ts';
import type { Tiff, TiffImage } from '../../../src/formats/tiff/index.ts';
import { openTiff } from '../../../src/formats/tiff/index.ts';
import { parseAuxXml, parseWorldFile } from '../../../src/formats/tiff/sidecars.ts';
import { readBands } from '../../../src/formats/tiff/testing/read-band.ts';
import { joinOverviews } from '../../../src/formats/tiff/tiff-reader.ts';

/** What GDAL read from a file (reader_facts.py). */
export interface ReaderFacts {
  readonly name: string;
  readonly path: string;
  /** Levels by which a lossy picture may differ: other releases of its codec round otherwise. */
  readonly tolerance: number;
  readonly type: string;
  readonly bandCount: number;
  readonly images: readonly { width: number; height: number; sha256: string; mask?: string }[];
  readonly nodata: number | 'nan' | 'inf' | '-inf' | null;
  readonly transform: readonly number[] | null;
  readonly gcps: readonly (readonly number[])[];
  readonly epsg: number | null;
  readonly proj: string | null;
  readonly wkt: string | null;
  readonly description: string | null;
  readonly palette: readonly number[] | null;
}

/** A TIFF with its sidecars: GDAL's .aux.xml takes precedence over the file itself, which takes precedence over a world file. */
async function openWithNeighbours(path: string): Promise<{ tiff: Tiff; wkt: string | null }> {
  const tiff = await openTiff(makeMemorySource(readFileSync(path)));
  const read = (sidecar: string) => (existsSync(sidecar) ? readFileSync(sidecar, 'utf8') : null);
  const auxText = read(`${path}.aux.xml`);
  const aux = auxText === null ? null : parseAuxXml(auxText);
  const worldText = read(path.replace(/\.[^.]+$/, '.tfw'));
  const world = worldText === null ? null : parseWorldFile(worldText);
  const auxBand = aux?.bands.get(0);
  const [band, ...others] = tiff.bands;
  const described = { ...band!, description: auxBand?.description ?? band!.description };
  return {
    tiff: {
      ...tiff,
      transform: aux?.transform ?? tiff.transform ?? world,
      gcps: aux?.gcps.length ? aux.gcps : tiff.gcps,
      nodata: auxBand?.nodata ?? tiff.nodata,
      bands: [described, ...others],
    },
    wkt: aux?.wkt ?? null,
  };
}

const toBytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const sha256 = (parts: readonly ArrayBufferView[]): string => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(toBytes(part));
  return hash.digest('hex');
};

/** The mask of a whole image, put together from its blocks; null when everything is valid. */
async function readMask(tiff: Tiff, image: TiffImage): Promise<Uint8Array | null> {
  const { width, height, blockWidth, blockHeight } = image;
  const out = new Uint8Array(width * height);
  for (let row = 0; row < image.blocksDown; row++) {
    for (let column = 0; column < image.blocksAcross; column++) {
      const mask = await readBlockMask(tiff, image, { band: 0, column, row });
      if (mask === null) return null;
      const left = column * blockWidth;
      const columns = Math.min(blockWidth, width - left);
      for (let y = 0; y < Math.min(blockHeight, height - row * blockHeight); y++) {
        const line = mask.subarray(y * blockWidth, y * blockWidth + columns);
        out.set(line, (row * blockHeight + y) * width + left);
      }
    }
  }
  return out;
}

function worstDifference(ours: readonly ArrayBufferView[], raw: Uint8Array): number {
  const bytes = Buffer.concat(ours.map(toBytes));
  if (bytes.length !== raw.length) return Infinity;
  return bytes.reduce((worst, value, i) => Math.max(worst, Math.abs(value - raw[i]!)), 0);
}

async function compareImages(main: Tiff, expected: ReaderFacts, folder: string): Promise<string[]> {
  const problems: string[] = [];
  const sidecar = resolve(folder, `${expected.path}.ovr`);
  const overviews = existsSync(sidecar) ? await openTiff(makeMemorySource(readFileSync(sidecar))) : null;
  const levels = joinOverviews(main, overviews);
  if (levels.length !== expected.images.length) problems.push(`${levels.length} images`);
  for (const [level, { tiff, image }] of levels.entries()) {
    const wanted = expected.images[level];
    if (wanted === undefined || image.width !== wanted.width || image.height !== wanted.height) {
      problems.push(`level ${level} is ${image.width} × ${image.height}`);
      continue;
    }
    const bands = await readBands(tiff, image);
    if (expected.tolerance === 0) {
      if (sha256(bands) !== wanted.sha256) problems.push(`pixels of level ${level}`);
    } else {
      const worst = worstDifference(bands, readFileSync(join(folder, `${expected.name}.${level}.raw`)));
      if (worst > expected.tolerance) problems.push(`pixels of level ${level} differ by ${worst}`);
    }
    const mask = await readMask(tiff, image);
    if ((mask === null ? undefined : sha256([mask])) !== wanted.mask) problems.push(`mask of level ${level}`);
  }
  return problems;
}

const words = (proj: string): string =>
  proj
    .split(/\s+/)
    .filter((word) => !/^(?:\+no_defs|\+type=crs|\+towgs84=[0,]+|)$/.test(word))
    .sort()
    .join(' ');

function compareGeoreference(tiff: Tiff, wkt: string | null, expected: ReaderFacts): string[] {
  const problems: string[] = [];
  if (wkt !== null && wkt !== expected.wkt) problems.push(`${wkt} instead of ${expected.wkt}`);
  const isFar = (ours: number, i: number) =>
    Math.abs(ours - expected.transform![i]!) > 1e-12 * Math.abs(ours);
  const isMoved = (tiff.transform === null) !== (expected.transform === null) || tiff.transform?.some(isFar);
  if (isMoved) problems.push(`transform ${tiff.transform} instead of ${expected.transform}`);
  const gcps = tiff.gcps.map(({ column, row, x, y, z }) => [column, row, x, y, z]);
  if (JSON.stringify(gcps) !== JSON.stringify(expected.gcps)) problems.push(`${gcps.length} control points`);
  const isNameless = wkt === null && tiff.proj === null && tiff.epsg === null && (expected.proj ?? '') !== '';
  if (isNameless) problems.push(`no reference system instead of ${expected.proj}`);
  if (wkt === null && tiff.epsg !== expected.epsg && tiff.proj === null)
    problems.push(`EPSG ${tiff.epsg} instead of ${expected.epsg}`);
  if (tiff.proj !== null && words(tiff.proj) !== words(expected.proj ?? '')) {
    problems.push(`${tiff.proj} instead of ${expected.proj}`);
  }
  return problems;
}

/** What our reader reads otherwise than GDAL, in words. */
export async function compareFacts(expected: ReaderFacts, folder: string): Promise<string[]> {
  try {
    const { tiff, wkt } = await openWithNeighbours(resolve(folder, expected.path));
    const [main] = tiff.images;
    const problems = [
      ...compareGeoreference(tiff, wkt, expected),
      ...(await compareImages(tiff, expected, folder)),
    ];
    if (main.type !== expected.type) problems.push(`${main.type} instead of ${expected.type}`);
    if (main.bandCount !== expected.bandCount) problems.push(`${main.bandCount} bands`);
    if (!Object.is(tiff.nodata, expected.nodata === null ? null : Number(expected.nodata))) {
      problems.push(`nodata ${tiff.nodata} instead of ${expected.nodata}`);
    }
    if (tiff.bands[0]!.description !== expected.description) problems.push('description');
    const palette = tiff.palette === null ? null : [...tiff.palette];
    if (JSON.stringify(palette) !== JSON.stringify(expected.palette)) problems.push('palette');
    return problems;
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? ` (${error.cause.message})` : '';
    return [`${error}${cause}`];
  }
}
