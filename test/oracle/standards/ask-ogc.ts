/**
 * Asks GDAL's WMTS, WMS, OGCAPI, STACIT and STACTA drivers and OWSLib whether they can use the doors of the standards, over
 * the small demo: pixels that GDAL reads are those of the first door. `npm run oracle standards`. Needs Debian's gdal-bin, and
 * Python for OWSLib and for a newer GDAL: that of Debian 12 cannot read tiles of OGC API, nor items whose reference system is
 * a `proj:code`.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findProgram } from '../../clients/run-program.ts';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { hasPython, installPython } from '../../support/python-packages.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath, waitUntilReady } from '../../support/start-swath.ts';
import { tell, tellClaims, tellMissing } from './verdicts.ts';

const { dataset } = DEMO_SCENE;
const TILE = { z: 12, x: 655, y: 1420 } as const;
const PERIOD = '2026-05-23..2026-06-21';
const BOX = { west: -122.44, south: 48.2, east: -122.37, north: 48.24 } as const;

/** The options of gdal_translate that write red, green, blue and opacity of each pixel. */
const RAW = [
  ...['-of', 'ENVI', '-co', 'INTERLEAVE=BIP'],
  ...['1', '2', '3', 'mask'].flatMap((band) => ['-b', band]),
];

const dataDir = await makeDemoData();
const folder = mkdtempSync(join(tmpdir(), 'swath-ogc-'));
const swath = await startSwath({ dataDir, env: { SWATH_LOG: 'error', ...ONE_THREAD } });
try {
  await waitUntilReady(swath.url);
  await tellClaims(swath.url, SERVICE_KEY);
  if (findProgram('gdal_translate') === null) tellMissing('GDAL', 'gdal-bin is not installed');
  else {
    await judgeWmts();
    await judgeUtm();
    await judgeWms();
    await judgeCoverage();
    await judgeStacta();
    if (hasPython()) await judgeWithNewerGdal();
  }
  if (hasPython()) await judgeWithOwslib();
  else tellMissing('OWSLib and a newer GDAL', 'there is no python3 with venv');
} finally {
  await swath.stop();
  rmSync(folder, { recursive: true });
  rmSync(dataDir, { recursive: true });
}

async function judgeWithNewerGdal(): Promise<void> {
  const newer = join(await installPython('pyogrio', ['pyogrio==0.13.0'], console.log), 'python');
  await judgeOgcApi(newer);
  judgeStacit(newer);
}

async function judgeWithOwslib(): Promise<void> {
  const python = join(await installPython('owslib', ['OWSLib==0.35.0'], console.log), 'python');
  const judge = fileURLToPath(new URL('judge_ogc.py', import.meta.url));
  const run = spawnSync(python, [judge, swath.url, SERVICE_KEY, dataset], { encoding: 'utf8' });
  console.log(run.stdout);
  assert.equal(run.status, 0, run.stderr);
}

/** A tile that GDAL reads through the capabilities has the pixels of the first door's tile. */
async function judgeWmts(): Promise<void> {
  const { z, x, y } = TILE;
  const own = await save(`/api/mosaic/S2L2A/${PERIOD}/B04,B03,B02/${z}/${x}/${y}.png`);
  const source = `WMTS:${swath.url}/ogc/wmts/1.0.0/WMTSCapabilities.xml?api_key=${SERVICE_KEY},layer=${dataset},style=natural,tilematrixset=WebMercatorQuad,tilematrix=${z},extendbeyonddateline=no`;
  const read = join(folder, 'wmts.raw');
  translate([source, read, ...toWindow(TILE)]);
  comparePixels({ what: 'WMTS', classes: ['WMTS 1.0.0'] }, own, read, [256, 256]);
}

/** A tile of a UTM zone, read through the capabilities, has the pixels of the first door's picture of its ground. */
async function judgeUtm(): Promise<void> {
  const [cell, left, top] = [
    20_003_931.458_625_5 / 256 / 2 ** 13,
    -9_501_965.729_312_76,
    20_003_931.458_625_5,
  ];
  // A tile in the middle of the scene.
  const [column, row] = [
    Math.floor((544_000 - left) / cell / 256),
    Math.floor((top - 5_340_500) / cell / 256),
  ];
  const [west, north] = [left + column * cell * 256, top - row * cell * 256];
  const [east, south] = [west + cell * 256, north - cell * 256];
  const own = await save(
    `/api/mosaic/S2L2A/${PERIOD}/B04,B03,B02/14/${west};${east};32610/${north};${south};32610?crs=32610&mimetype=image/png`,
  );
  const source = `WMTS:${swath.url}/ogc/wmts/1.0.0/WMTSCapabilities.xml?api_key=${SERVICE_KEY},layer=${dataset},style=natural,tilematrixset=UTM10WGS84Quad,tilematrix=14`;
  const read = join(folder, 'utm.raw');
  translate([source, read, '-projwin', ...[west, north, east, south].map(String), '-outsize', '256', '256']);
  comparePixels({ what: 'WMTS in UTM', classes: ['WMTS 1.0.0'] }, own, read, [256, 256]);
}

/** A coverage has the numbers of the scene's file, and in degrees those that gdalwarp makes of it. */
async function judgeCoverage(): Promise<void> {
  const source = join(dataDir, DEMO_SCENE.folder, 'B04.tif');
  const layer = `scene.${DEMO_SCENE.viewId.replaceAll('/', '_')}`;
  for (const { what, query, warp, most } of [
    {
      what: 'its own pixels',
      query: 'bbox=541000,5338000,547000,5343000&bbox-crs=EPSG:32610',
      warp: '-r near -tr 10 10 -te 541000 5338000 547000 5343000',
      most: 0,
    },
    {
      what: 'in degrees',
      query: 'subset=Lat(48.205:48.235),Lon(-122.42:-122.39)&scale-size=Lon(400),Lat(600)',
      warp: '-r bilinear -t_srs EPSG:4326 -te -122.42 48.205 -122.39 48.235 -ts 400 600',
      most: 0.01,
    },
  ]) {
    const file = join(folder, 'coverage.tif');
    const path = `/ogc/collections/${layer}/coverage?properties=B04&${query}`;
    const response = await fetch(`${swath.url}${path}`, { headers: { 'x-api-key': SERVICE_KEY } });
    assert.equal(response.status, 200, await response.clone().text());
    writeFileSync(file, new Uint8Array(await response.arrayBuffer()));
    const [own, warped] = [join(folder, 'coverage.raw'), join(folder, 'warped.raw')];
    runGdal('gdal_translate', ['-q', '-of', 'ENVI', file, own]);
    const options = `-q -overwrite -of ENVI -ot Float32 -et 0 -dstnodata nan ${warp}`.split(' ');
    runGdal('gdalwarp', [...options, source, warped]);
    const [found, wanted] = [readFloats(own), readFloats(warped)];
    assert.equal(found.length, wanted.length);
    let values = 0;
    for (const [i, value] of found.entries()) {
      const other = wanted[i] ?? 0;
      assert.equal(Number.isNaN(value), Number.isNaN(other), `${what}: pixel ${i}`);
      if (Number.isNaN(value)) continue;
      values += 1;
      assert.ok(Math.abs(value - other) <= most, `${what}: pixel ${i} is ${value} instead of ${other}`);
    }
    assert.ok(values > 100_000, `${what}: only ${values} values`);
    const classes = ['core', 'subsetting', 'fieldselection', 'crs', 'scaling', 'geotiff'].map(toCoverages);
    tell({ judge: 'gdalwarp', classes, what: `${values} values, ${what}`, tests: 1, passed: 1 });
  }
}

function toCoverages(name: string): string {
  return `ogcapi-coverages-1/1.0/conf/${name}`;
}

function readFloats(path: string): Float32Array {
  return new Float32Array(new Uint8Array(readFileSync(path)).buffer);
}

/** A tile that GDAL reads through the links of OGC API has the pixels of the first door's tile. */
async function judgeOgcApi(python: string): Promise<void> {
  const { z, x, y } = TILE;
  const own = await save(`/api/mosaic/S2L2A/${PERIOD}/B04,B03,B02/${z}/${x}/${y}.png`);
  const read = join(folder, 'ogcapi.raw');
  const source = `OGCAPI:${swath.url}/ogc/collections/${dataset}?api_key=${SERVICE_KEY}`;
  const open = ['API=TILES', 'TILEMATRIXSET=WebMercatorQuad', `TILEMATRIX=${z}`, 'CACHE=NO'];
  const version = translateNewly(python, [source, read, ...open, '--', ...RAW, ...toWindow(TILE)]);
  const tiles = ['core', 'tileset', 'tilesets-list', 'geodata-tilesets', 'png'];
  const sets = ['tilematrixset', 'json-tilematrixset'].map((name) => `tms/2.0/conf/${name}`);
  const classes = [...tiles.map((name) => `ogcapi-tiles-1/1.0/conf/${name}`), ...sets];
  comparePixels({ what: 'tiles', judge: `GDAL ${version}`, classes }, own, read, [256, 256]);
  const small = join(folder, 'small.raw');
  const size = ['-of', 'ENVI', '-outsize', '100', '100'];
  translateNewly(python, [source, small, 'API=COVERAGE', 'CACHE=NO', '--', ...size]);
  const values = readFloats(small).filter((value) => value > 0).length;
  assert.ok(values > 10_000, `only ${values} values`);
  const covered = ['core', 'geotiff'].map(toCoverages);
  tell({
    judge: `GDAL ${version}`,
    classes: covered,
    what: `${values} values read by OGCAPI`,
    tests: 1,
    passed: 1,
  });
}

/** An asset of items that a search finds has the numbers of the scene's file. */
function judgeStacit(python: string): void {
  const [read, wanted] = [join(folder, 'stacit.raw'), join(folder, 'file.raw')];
  const search = `${swath.url}/stac/search?collections=${dataset}&api_key=${SERVICE_KEY}`;
  const version = translateNewly(python, [`STACIT:"${search}":asset=B04`, read, '--', '-of', 'ENVI']);
  runGdal('gdal_translate', ['-q', '-of', 'ENVI', join(dataDir, DEMO_SCENE.folder, 'B04.tif'), wanted]);
  const [found, stored] = [readFileSync(read), readFileSync(wanted)];
  assert.ok(found.equals(stored), 'STACIT: other numbers than those of the file');
  assert.ok(
    new Set(new Uint16Array(new Uint8Array(found).buffer)).size > 100,
    'STACIT: a file of few numbers',
  );
  const values = found.length / 2;
  const classes = ['v1.0.0/item-search'];
  tell({ judge: `GDAL ${version}`, classes, what: `${values} values read by STACIT`, tests: 1, passed: 1 });
}

/** A tile that GDAL reads through the tiled form of an item has the pixels of the tile itself. */
async function judgeStacta(): Promise<void> {
  const itemId = DEMO_SCENE.viewId.replaceAll('/', '_');
  const headers = { 'x-api-key': SERVICE_KEY };
  const address = `${swath.url}/stac/collections/${dataset}/items/${itemId}/tiled.json`;
  const text = await (await fetch(address, { headers })).text();
  const links = JSON.parse(text).properties['tiles:tile_matrix_links'];
  const limits = links.WebMercatorQuad.limits[14];
  // In the middle of the scene.
  const x = Math.floor((limits.min_tile_col + limits.max_tile_col) / 2);
  const y = Math.floor((limits.min_tile_row + limits.max_tile_row) / 2);
  const own = await save(`/ogc/collections/scene.${itemId}/map/tiles/WebMercatorQuad/14/${y}/${x}?f=jpeg`);
  const [item, read] = [join(folder, 'tiled.json'), join(folder, 'stacta.raw')];
  writeFileSync(item, text);
  const key = { GDAL_HTTP_HEADERS: `x-api-key: ${SERVICE_KEY}` };
  runGdal('gdal_translate', ['-q', ...RAW, `STACTA:${item}`, read, ...toWindow({ z: 14, x, y })], key);
  comparePixels({ what: 'STACTA', classes: ['ogcapi-tiles-1/1.0/conf/jpeg'] }, own, read, [256, 256]);
}

/** Runs gdal_translate of a newer GDAL, and returns its version. */
function translateNewly(python: string, args: readonly string[]): string {
  const program = fileURLToPath(new URL('translate_new_gdal.py', import.meta.url));
  const run = spawnSync(python, [program, ...args], { encoding: 'utf8', cwd: folder });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout.trim();
}

/** A map that GDAL reads has the pixels of the first door's picture of the same bounds. */
async function judgeWms(): Promise<void> {
  const { west, south, east, north } = BOX;
  const [width, height] = [350, 200];
  const own = await save(
    `/api/mosaic/S2L2A/${PERIOD}/B04,B03,B02/12/${west};${east};4326/${north};${south};4326?crs=4326&TILE_SIZE=${width},${height}&mimetype=image/png`,
  );
  const description = join(folder, 'wms.xml');
  writeFileSync(
    description,
    `<GDAL_WMS><Service name="WMS"><Version>1.3.0</Version><ServerUrl>${swath.url}/ogc/wms?api_key=${SERVICE_KEY}&amp;</ServerUrl><Layers>${dataset}</Layers><Styles>natural</Styles><CRS>EPSG:4326</CRS><BBoxOrder>yxYX</BBoxOrder><ImageFormat>image/png</ImageFormat><Transparent>TRUE</Transparent></Service><DataWindow><UpperLeftX>${west}</UpperLeftX><UpperLeftY>${north}</UpperLeftY><LowerRightX>${east}</LowerRightX><LowerRightY>${south}</LowerRightY><SizeX>${width}</SizeX><SizeY>${height}</SizeY></DataWindow><BandsCount>4</BandsCount><BlockSizeX>${width}</BlockSizeX><BlockSizeY>${height}</BlockSizeY></GDAL_WMS>`,
  );
  const read = join(folder, 'wms.raw');
  translate([description, read]);
  comparePixels({ what: 'WMS', classes: ['WMS 1.3.0'] }, own, read, [width, height]);
}

async function save(path: string): Promise<string> {
  const response = await fetch(`${swath.url}${path}`, { headers: { 'x-api-key': SERVICE_KEY } });
  assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
  const [png, raw] = [join(folder, 'own.png'), join(folder, 'own.raw')];
  writeFileSync(png, new Uint8Array(await response.arrayBuffer()));
  translate([png, raw]);
  return raw;
}

/** The options that read a map tile. */
function toWindow({ z, x, y }: Readonly<Record<'z' | 'x' | 'y', number>>): readonly string[] {
  const half = 20_037_508.342_789_244;
  const side = (2 * half) / 2 ** z;
  const window = [-half + x * side, half - y * side, -half + (x + 1) * side, half - (y + 1) * side];
  return ['-projwin', ...window.map(String), '-outsize', '256', '256'];
}

function translate(args: readonly string[]): void {
  runGdal('gdal_translate', ['-q', ...RAW, ...args]);
}

function runGdal(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  // GDAL caches tiles in the working directory.
  const run = spawnSync(program, args, { encoding: 'utf8', cwd: folder, env: { ...process.env, ...env } });
  assert.equal(run.status, 0, run.error?.message ?? run.stderr);
}

/** What is compared, and which conformance classes it belongs to. */
interface Compared {
  readonly what: string;
  readonly judge?: string;
  readonly classes: readonly string[];
}

/** The version of the installed GDAL. */
function gdalVersion(): string {
  return /[\d.]+/.exec(spawnSync('gdalinfo', ['--version'], { encoding: 'utf8' }).stdout)?.[0] ?? '';
}

/** Colours of transparent pixels mean nothing. */
function comparePixels(
  { what, judge = `GDAL ${gdalVersion()}`, classes }: Compared,
  own: string,
  read: string,
  [width, height]: readonly [number, number],
): void {
  const [wanted, found] = [readFileSync(own), readFileSync(read)];
  const count = width * height;
  assert.deepEqual([wanted.length, found.length], [4 * count, 4 * count], what);
  let shown = 0;
  for (let i = 0; i < count; i++) {
    assert.equal(found[4 * i + 3], wanted[4 * i + 3], `${what}: alpha of pixel ${i}`);
    if (wanted[4 * i + 3] === 0) continue;
    shown += 1;
    for (const band of [0, 1, 2])
      assert.equal(found[4 * i + band], wanted[4 * i + band], `${what}: pixel ${i}`);
  }
  assert.ok(shown > 1_000, `${what}: only ${shown} pixels show something`);
  tell({ judge, classes, what: `${what}, ${shown} pixels`, tests: 1, passed: 1 });
}
