/** A made-up public catalog and a service that asks it, with nothing ingested and no demo world. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { FakeStac, FakeStacOptions } from '../../src/live/testing/fake-stac.ts';
import { startFakeStac, TOKEN_PATH } from '../../src/live/testing/fake-stac.ts';
import type { StyleName } from '../../src/live/testing/fake-styles.ts';
import type { FilePlace, MadeItem, MakeFile } from '../../src/live/testing/made-item.ts';
import type { AnsweredStatistics } from '../support/ask-statistics.ts';
import { askStatistics } from '../support/ask-statistics.ts';
import type { RunningSwath } from '../support/start-swath.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath } from '../support/start-swath.ts';

/** Presets that have a fake in their style. */
export type PresetName = Exclude<StyleName, 'plain'>;

/** The longest that settings allow: no machine is so slow that an answer of the fake takes a minute. */
const LONGEST_DEADLINE_MS = 60_000;

/** Keys that the buckets of the fake take. */
export const BUCKET_KEY = { accessKeyId: 'AKIAFORTESTS', secretAccessKey: 'a-secret-for-tests' } as const;

/** Who may read the files of each preset, as its provider has it. */
const BUCKETS: Readonly<Record<PresetName, NonNullable<FakeStacOptions['buckets']>>> = {
  'earth-search': {},
  'planetary-computer': { sentinel2l2a01: { tokens: true }, elevationeuwest: { tokens: true } },
  copernicus: { eodata: { credentials: BUCKET_KEY } },
  usgs: { 'usgs-landsat': { credentials: BUCKET_KEY, requesterPays: true } },
};

/** Starts the fake of a preset, which lets files be read as strictly as its provider. It has the files that are read, ready. */
export async function startFake(
  preset: PresetName,
  items: (place: FilePlace) => readonly MadeItem[] = () => [],
  willRead: (path: string) => boolean = () => true,
): Promise<FakeStac> {
  const fake = await startFakeStac({ style: preset, buckets: BUCKETS[preset] });
  fake.add(...(await Promise.all(items(fake.place).map((item) => makeAhead(item, willRead)))));
  return fake;
}

/**
 * Reads of files have deadlines: on a slow machine a file that is made when it is read would come too late. Files that
 * the caller does not read are missing: making those of all bands takes longer than most tests.
 */
export async function makeAhead(
  item: MadeItem,
  willRead: (path: string) => boolean = () => true,
): Promise<MadeItem> {
  const files = new Map<string, MakeFile>();
  for (const [path, make] of item.files()) {
    if (!isRead(path) || !willRead(path)) continue;
    const file = await make();
    files.set(path, () => file);
  }
  return { ...item, files: () => files };
}

/** JPEG 2000 files take long to make; the service reads the finest of a band, and no pictures. */
function isRead(path: string): boolean {
  const [, band = '', pixelM] = /_(B\w{2}|SCL|TCI)_(\d{2})m\.jp2$/.exec(path) ?? [];
  if (pixelM === undefined) return true;
  const finest = /^B0[2348]$/.test(band) ? '10' : /^B0[19]$/.test(band) ? '60' : '20';
  return pixelM === finest;
}

/** Limits of a catalog in a file for SWATH_CATALOGS. */
type Limits = Readonly<Partial<Record<'requestsPerMinute' | 'concurrency' | 'deadlineMs', number>>>;

/** An entry of a file for SWATH_CATALOGS: the preset with its address and sources replaced by those of the fake. */
export function toEntry(preset: PresetName, { url, origin, port }: FakeStac, limits: Limits = {}): object {
  const at = { region: 'local', endpoint: origin, pathStyle: true };
  const stores = {
    'earth-search': [{ ...at, buckets: ['copernicus-dem-30m'] }],
    'planetary-computer': [],
    copernicus: [{ ...at, buckets: ['eodata'], credentials: BUCKET_KEY }],
    // Its key is a setting of its own.
    usgs: [{ ...at, buckets: ['usgs-landsat'], requesterPays: true }],
  }[preset];
  const hasHosts = preset === 'earth-search' || preset === 'planetary-computer';
  return {
    preset,
    url,
    sources: {
      hosts: hasHosts ? ['127.0.0.1'] : [],
      allowHttp: true,
      ports: [port],
      privateNetworks: ['127.0.0.0/8'],
      s3: stores,
      tokens:
        preset === 'planetary-computer' ? [{ hosts: ['127.0.0.1'], endpoint: `${origin}${TOKEN_PATH}` }] : [],
    },
    limits: { requestsPerMinute: 100_000, deadlineMs: LONGEST_DEADLINE_MS, ...limits },
  };
}

/** A hit of a search. */
export interface Hit {
  readonly view_id: string;
  readonly sceneID: string;
  readonly date: string;
  readonly tms: string;
  readonly thumbnail: string;
  readonly cloudCoverage: number;
  readonly cloudCoverageInArea?: number | null;
  readonly dataCoverageInArea?: number | null;
}

/** What a search answered. */
export interface Found {
  readonly meta: {
    readonly found: number;
    readonly catalogs: readonly {
      readonly name: string;
      readonly dataset: string;
      readonly found: number;
      readonly found_by: string;
      readonly problem?: { readonly code: string; readonly message: string };
    }[];
    readonly in_area?: { readonly candidates: number; readonly measured: number; readonly remaining: number };
  };
  readonly results: readonly Hit[];
  /** The header `x-incomplete-catalogs`. */
  readonly incomplete: string | null;
}

/** The body of an error. */
export interface Refused {
  readonly status: number;
  readonly code: string;
  readonly error: string;
  readonly retryAfter: string | null;
}

/** Where pixels are asked for. */
export type Position = readonly [lon: number, lat: number];

/** A picture that came, taken apart. */
export interface LivePicture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

/** A running service with the requests of its clients. */
export interface LiveService extends AsyncDisposable {
  readonly swath: RunningSwath;
  /** Settings for commands on the same data. */
  readonly commandEnv: Readonly<Record<string, string>>;
  ask(path: string): Promise<Response>;
  /** Asks for what must be refused. */
  askRefused(path: string): Promise<Refused>;
  search(dataset: string, body?: object): Promise<Found>;
  /** The tile of a scene around a position that must come. */
  drawTile(viewId: string, bands: string, position: Position, query?: string): Promise<LivePicture>;
  readPoint(viewId: string, bands: string, position: Position): Promise<number | null>;
  /** Statistics as a task at `/api/gdw/api`. */
  measure(params: Readonly<Record<string, unknown>>): Promise<AnsweredStatistics>;
  /** Statistics in one request. */
  measureNow(params: Readonly<Record<string, unknown>>): Promise<MeasuredNow>;
  /** Orders a file and downloads it. */
  order(type: string, params: Readonly<Record<string, unknown>>): Promise<Buffer>;
}

/** What `POST /api/statistics` answers. */
export interface MeasuredNow {
  readonly results: readonly {
    readonly view_id: string;
    readonly cloud: number;
    readonly notes: readonly string[];
    readonly values: Readonly<Record<string, Readonly<Record<string, number>>>>;
  }[];
  readonly errors: readonly { readonly view_id: string; readonly error: string }[];
}

/** Starts a service over some catalogs: entries of a file for SWATH_CATALOGS. */
export async function startLiveService(
  catalogs: readonly object[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly probe?: URL } = {},
): Promise<LiveService> {
  const folder = mkdtempSync(join(tmpdir(), 'swath-catalogs-'));
  const file = join(folder, 'catalogs.json');
  writeFileSync(file, JSON.stringify(catalogs), { mode: 0o600 });
  const swath = await startSwath({
    ...(options.probe === undefined ? {} : { probe: options.probe }),
    env: {
      ...ONE_THREAD,
      SWATH_CATALOGS: file,
      SWATH_STATISTICS_PER_MINUTE: '10000',
      SWATH_LOG: 'warn',
      ...options.env,
    },
  });
  return {
    ...makeClient(swath),
    commandEnv: { SWATH_CATALOGS: file, SWATH_DATA: swath.dataDir, ...options.env },
    async [Symbol.asyncDispose]() {
      await swath[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

const headers = { 'x-api-key': SERVICE_KEY };

function makeClient(swath: RunningSwath): Omit<LiveService, keyof AsyncDisposable | 'commandEnv'> {
  const { url } = swath;
  const ask = (path: string): Promise<Response> => fetch(new URL(path, url), { headers });
  const post = (path: string, body: object): Promise<Response> =>
    fetch(new URL(path, url), { method: 'POST', headers, body: JSON.stringify(body) });
  const toJson = async <Body>(response: Response): Promise<Body> => {
    assert.equal(response.status, 200, `${response.url}: ${await response.clone().text()}`);
    return (await response.json()) as Body;
  };
  return {
    swath,
    ask,
    async askRefused(path) {
      const response = await ask(path);
      const text = await response.text();
      assert.ok(response.status >= 400, `${path} was answered with ${response.status}`);
      const { code = '', error = '' } = JSON.parse(text) as Partial<Refused>;
      assert.ok(error.length > 10, text);
      return { status: response.status, code, error, retryAfter: response.headers.get('retry-after') };
    },
    async search(dataset, body = {}) {
      const response = await post(`/api/lms/search/v2/${dataset}`, body);
      const found = await toJson<Omit<Found, 'incomplete'>>(response);
      return { ...found, incomplete: response.headers.get('x-incomplete-catalogs') };
    },
    async drawTile(viewId, bands, position, query = '') {
      const response = await ask(toTilePath(viewId, bands, position, query));
      return readPicture(response);
    },
    async readPoint(viewId, bands, [lon, lat]) {
      const [sensor, ...name] = viewId.split('/');
      const path = `/api/render/${sensor}/point/${name.join('/')}/${encodeURIComponent(bands)}/${lat.toFixed(8)}/${lon.toFixed(8)}`;
      const response = await ask(`${path}?CALIBRATE=1`);
      return (await toJson<{ index_value: number | null }>(response)).index_value;
    },
    measure: (params) => askStatistics(url, '/api/gdw/api', params),
    async measureNow(params) {
      for (;;) {
        // After ten seconds the service says that the work goes on.
        const response = await post('/api/statistics', params);
        if (response.status !== 202) return toJson<MeasuredNow>(response);
        await response.body?.cancel();
      }
    },
    async order(type, params) {
      const created = await post('/api', { type, params });
      assert.equal(created.status, 202, await created.clone().text());
      const { task_id: id } = (await created.json()) as { task_id: string };
      for (;;) {
        // Held while the task is open.
        const polled = await fetch(new URL(`/api/gdw/api/${id}`, url), { headers, redirect: 'manual' });
        const body = (await polled.json()) as { readonly status: string; readonly error_message?: string };
        if (polled.status === 303) {
          const file = await fetch(polled.headers.get('location') ?? assert.fail());
          assert.equal(file.status, 200);
          return Buffer.from(await file.arrayBuffer());
        }
        assert.ok(polled.ok && body.status !== 'finished', JSON.stringify(body));
      }
    },
  };
}

/** Tiles of this level have 10 m a pixel at 45° of latitude, and their blocks are those of full resolution. */
const TILE_LEVEL = 14;

/** The address of the tile around a position. */
export function toTilePath(viewId: string, bands: string, position: Position, query = ''): string {
  const [x, y] = toMapPixel(position).map((at) => Math.floor(at / 256));
  return `/api/render/${viewId}/${encodeURIComponent(bands)}/${TILE_LEVEL}/${x}/${y}?mimetype=image/png&${query}`;
}

/** The colour of a tile at a position. */
export function colorAt({ rgba, width }: LivePicture, position: Position): readonly number[] {
  const [x = 0, y = 0] = toMapPixel(position).map((at) => Math.floor(at) % 256);
  return [...rgba.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)];
}

/** Pixels of the whole map at the level of the tiles, in Web Mercator. */
function toMapPixel([lon, lat]: Position): readonly [number, number] {
  const size = 256 * 2 ** TILE_LEVEL;
  const phi = (lat * Math.PI) / 180;
  return [((lon + 180) / 360) * size, ((1 - Math.asinh(Math.tan(phi)) / Math.PI) / 2) * size];
}

/** Takes a PNG apart that must have come. */
export async function readPicture(response: Response): Promise<LivePicture> {
  if (response.status !== 200)
    assert.fail(`${response.url}: ${response.status} ${await response.clone().text()}`);
  assert.equal(response.headers.get('content-type'), 'image/png');
  const { data, info } = await sharp(new Uint8Array(await response.arrayBuffer()))
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, rgba: new Uint8Array(data) };
}

/** Fails unless a picture shows something: pixels that can be seen, of more than one colour. */
export function expectSomething({ rgba }: LivePicture): void {
  const colours = new Set<string>();
  for (let i = 0; i < rgba.length; i += 4) if (rgba[i + 3]! > 0) colours.add(rgba.subarray(i, i + 3).join());
  assert.ok(colours.size > 1, `${colours.size} colours`);
}
