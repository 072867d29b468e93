/** A thread that shades strips of an elevation model and writes them into an uncompressed GeoTIFF. */

import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { ThreadSettings } from '../../src/blocks/index.ts';
import { makeThreadTools } from '../../src/blocks/index.ts';
import { openTiff } from '../../src/formats/tiff/index.ts';
import { makeStaging, makeWindowPlane } from '../../src/raster/index.ts';
import { shadeRelief } from '../../src/terrain/heights/relief.ts';
import { PIXELS_AT, toByteHead } from './byte-head.ts';

/** What a thread is started with. */
export interface ShadeSettings extends ThreadSettings {
  /** The elevation model. */
  readonly href: string;
  /** Descriptor of the result. */
  readonly file: number;
  /** Strips that some thread has taken. */
  readonly taken: Int32Array<SharedArrayBuffer>;
  readonly startsAt: 'top' | 'bottom';
}

/** As gdaldem without options. */
const LIGHT = { azimuthDeg: 315, altitudeDeg: 45 };

const { href, file, taken, startsAt, ...settings } = workerData as ShadeSettings;
const { open, readWindow, kernels } = makeThreadTools(settings);
const { signal } = new AbortController();
const { width, height, stripRows, nodata, epsg, transform } = await readFacts();

async function readFacts() {
  const source = await open(href);
  const { images, nodata, epsg, transform } = await openTiff(source);
  await source.close();
  const [{ width, height, blockHeight: stripRows }] = images;
  if (epsg === null || transform === null) throw new Error(`${href} is not georeferenced`);
  return { width, height, stripRows, nodata, epsg, transform };
}

/** The first and the last pixel of a row are never written: the outermost pixels are 0, as gdaldem's are. */
const pixels = new Uint8Array(width * stripRows);

/** Shades as many rows of the image into `pixels`. */
async function shadeStrip(top: number, rows: number): Promise<void> {
  const allocate = kernels.begin();
  const first = Math.max(0, top - 1);
  const window = { x: 0, y: first, width, height: Math.min(height, top + rows + 1) - first };
  const [heightsAt, maskAt] = [allocate(4 * width * window.height), allocate(width * window.height)];
  const staging = makeStaging(allocate);
  const plane = makeWindowPlane({ kernels, staging, window, valuesAt: heightsAt, maskAt, nodata });
  const band = { band: 'heights', href, bandIndex: 0, nodata, record: { name: href, version: '1' } };
  await readWindow({ ...band, read: { level: 0, window } }, plane, signal);

  const size = { width: width - 2, height: window.height - 2 };
  const relief = {
    ...size,
    heightsAt,
    maskAt: plane.hasEmpty ? maskAt : 0,
    pixelWidthsM: new Float64Array(size.height).fill(transform[1]),
    pixelHeightsM: new Float64Array(size.height).fill(-transform[5]),
  };
  const shadesAt = shadeRelief(kernels, allocate, relief, LIGHT);
  const shades = new Uint8Array(kernels.buffer(), shadesAt, size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const row = shades.subarray(y * size.width, (y + 1) * size.width);
    pixels.set(row, (first + 1 - top + y) * width + 1);
  }
  if (top === 0) pixels.fill(0, 0, width);
  if (top + rows === height) pixels.fill(0, (rows - 1) * width, rows * width);
}

if (startsAt === 'top')
  writeSync(file, toByteHead({ width, height, stripRows, epsg, transform }), 0, null, 0);
const strips = Math.ceil(height / stripRows);
for (let own = 0; Atomics.add(taken, 0, 1) < strips; own++) {
  const top = (startsAt === 'top' ? own : strips - 1 - own) * stripRows;
  const rows = Math.min(stripRows, height - top);
  await shadeStrip(top, rows);
  writeSync(file, pixels, 0, rows * width, PIXELS_AT + top * width);
}
