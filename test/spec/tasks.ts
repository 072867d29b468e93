import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { makeMemorySource } from '../../src/formats/testing/memory-source.ts';
import { openZip } from '../../src/formats/testing/read-zip.ts';
import type { Tiff } from '../../src/formats/tiff/index.ts';
import { openTiff } from '../../src/formats/tiff/index.ts';
import type { ReadImage } from '../../world/testing/read-image.ts';
import { readImage } from '../../world/testing/read-image.ts';
import type { BandPixels, Picture } from './pixels.ts';
import { draw, lonLatOf } from './pixels.ts';
import type { Key } from './service.ts';
import { call, pathOf, sceneOf } from './service.ts';

// It starts `touch`.
// Reads: nothing more

/** The params of an order, as JSON. */
export type Params = Readonly<Record<string, unknown>>;

/** The two addresses of tasks. */
export const ADDRESSES = { download: '/api', statistics: '/api/gdw/api' } as const;

type Body = Readonly<Record<string, unknown>>;

/** Orders a task that must be taken; what the service answers. */
export async function order(type: string, params: Params, address: string = ADDRESSES.download) {
  const response = await call(address, { body: { type, params } });
  assert.equal(response.status, 202, `${type} ${JSON.stringify(params)}: ${await response.clone().text()}`);
  return (await response.json()) as Body & { readonly task_id: string };
}

/** Orders what must be refused; the code of the error. */
export async function orderRefused(type: string, params: Params, status = 400): Promise<string> {
  const response = await call(ADDRESSES.download, { body: { type, params } });
  const text = await response.text();
  assert.equal(response.status, status, `${type} ${JSON.stringify(params)}: ${text}`);
  const { status: flag, error, code } = JSON.parse(text) as Body;
  assert.equal(flag, false);
  assert.ok(typeof error === 'string' && error.length > 10 && typeof code === 'string', text);
  return code;
}

/** Asks about a task. */
export const poll = (id: string, address: string = ADDRESSES.download) => call(`${address}/${id}`);

/** The last poll of a task: that of the statistics address is held until the task is over. */
export async function pollToEnd(id: string): Promise<{ readonly response: Response; readonly body: Body }> {
  for (;;) {
    const response = await poll(id, ADDRESSES.statistics);
    const body = (await response.json()) as Body;
    if (body.status === 'finished') return { response, body };
    assert.equal(response.status, 200, JSON.stringify(body));
  }
}

/** A file that a task has made. */
export interface MadeFile {
  readonly url: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Orders a file and downloads it, as the poll says: without a key. */
export async function makeFile(type: string, params: Params): Promise<MadeFile> {
  const { task_id: id } = await order(type, params);
  const { response, body } = await pollToEnd(id);
  assert.equal(response.status, 303, JSON.stringify(body));
  const url = response.headers.get('location') ?? '';
  const file = await call(url, { apiKey: null });
  assert.equal(file.status, 200);
  return {
    url,
    name: decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''),
    type: file.headers.get('content-type') ?? '',
    bytes: Buffer.from(await file.arrayBuffer()),
  };
}

/** Damages a band as no one could know without reading it: its size and times are those of the record. */
export function damageBand(key: Key, band: string): void {
  const path = pathOf(sceneOf(key).assets[band]?.href ?? assert.fail(band));
  const copy = `${path}.copy`;
  copyFileSync(path, copy);
  execFileSync('touch', ['-r', path, copy]);
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(0xff, Math.floor(bytes.length / 2)));
  execFileSync('touch', ['-r', copy, path]);
}

const folder = mkdtempSync(join(tmpdir(), 'swath-spec-files-'));
after(() => rmSync(folder, { recursive: true }));
let written = 0;

/** Writes bytes to a file of their own. */
function toPath(bytes: Uint8Array): string {
  written += 1;
  const path = join(folder, String(written));
  writeFileSync(path, bytes);
  return path;
}

/** The pixels of a TIFF or JP2. */
export const readPixels = (bytes: Uint8Array): Promise<ReadImage> => readImage(toPath(bytes));

/** What a TIFF says of itself. */
export const readTiff = (bytes: Uint8Array): Promise<Tiff> => openTiff(makeMemorySource(bytes));

/** The files of an archive by their names. */
export function readArchive(bytes: Uint8Array): ReadonlyMap<string, Buffer> {
  const zip = openZip(toPath(bytes));
  const files = zip.entries.map((entry) => {
    const stored = zip.readStored(entry);
    return [entry.name, entry.method === 0 ? stored : inflateRawSync(stored)] as const;
  });
  zip.close();
  return new Map(files);
}

/** What stands for the scene in names of files. */
export const nameOf = (key: Key): string => sceneOf(key).viewId.replaceAll('/', '-');

/** Columns and rows of a band, both ends included. */
export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A box in degrees around the centres of some pixels of a band, and no others: west, south, east, north. */
export function boxAround(band: BandPixels, { left, top, right, bottom }: PixelBox): number[] {
  const corners = [top, bottom].flatMap((row) =>
    [left, right].map((column) => lonLatOf(band, row * band.width + column)),
  );
  const lons = corners.map(({ lon }) => lon);
  const lats = corners.map(({ lat }) => lat);
  // A little more than rounding takes.
  const room = 1e-7;
  return [
    Math.min(...lons) - room,
    Math.min(...lats) - room,
    Math.max(...lons) + room,
    Math.max(...lats) + room,
  ];
}

/** The values of a part of a band; NaN where there is no data. */
export function cut({ values, width }: BandPixels, { left, top, right, bottom }: PixelBox): number[] {
  const rows = Array.from({ length: bottom - top + 1 }, (_, row) => (top + row) * width);
  return rows.flatMap((start) => [...values.subarray(start + left, start + right + 1)]);
}

/** The picture of a GeoTIFF in Web Mercator, and the same rectangle as the service draws it for a query. */
export async function drawAlike(
  file: MadeFile,
  key: Key,
  bands: string,
  query: string,
): Promise<{ readonly file: Picture; readonly drawn: Picture }> {
  const { epsg, transform, width, height, bands: channels } = await readPixels(file.bytes);
  assert.ok(epsg === 3857 && transform !== null, `${epsg}`);
  const [west, pixel, , north, , down] = transform;
  const [x, y] = [`${west};${west + width * pixel};3857`, `${north};${north + height * down};3857`];
  const path = `${sceneOf(key).viewId}/${encodeURIComponent(bands)}/12/${x}/${y}`;
  const drawn = await draw(path, `TILE_SIZE=${width},${height}&mimetype=image/png&${query}`);
  assert.equal(channels.length, 4, 'red, green, blue and opacity');
  const rgba = new Uint8Array(4 * width * height).map((_, i) => channels[i % 4]![i >> 2]!);
  return { file: { type: file.type, width, height, rgba, bytes: file.bytes }, drawn };
}

/** The decoded pixels of an image. */
export async function decode(bytes: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const { width, height, format } = info;
  return { type: format, width, height, rgba: new Uint8Array(data), bytes };
}
