/**
 * Asks GDAL's WMTS, WMS and OGCAPI drivers and OWSLib whether they can use the OGC doors, over the small demo: pixels that
 * GDAL reads are those of the first door. `npm run oracle standards`. Needs Debian's gdal-bin, and Python for OWSLib and for a
 * newer GDAL: that of Debian 12 cannot read tiles of OGC API.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEMO_SCENE, makeDemoData } from '../../support/demo-data.ts';
import { installPython } from '../../support/python-packages.ts';
import { ONE_THREAD, SERVICE_KEY, startSwath, waitUntilReady } from '../../support/start-swath.ts';

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
  await judgeWmts();
  await judgeUtm();
  await judgeWms();
  await judgeCoverage();
  await judgeOgcApi(join(await installPython('pyogrio', ['pyogrio==0.13.0'], console.log), 'python'));
  const python = join(await installPython('owslib', ['OWSLib==0.35.0'], console.log), 'python');
  const judge = fileURLToPath(new URL('judge_ogc.py', import.meta.url));
  process.exitCode =
    spawnSync(python, [judge, swath.url, SERVICE_KEY, dataset], { stdio: 'inherit' }).status ?? 1;
} finally {
  await swath.stop();
  rmSync(folder, { recursive: true });
  rmSync(dataDir, { recursive: true });
}

/** A tile that GDAL reads through the capabilities has the pixels of the first door's tile. */
async function judgeWmts(): Promise<void> {
  const { z, x, y } = TILE;
  const own = await save(`/api/mosaic/S2L2A/${PERIOD}/B04,B03,B02/${z}/${x}/${y}.png`);
  const source = `WMTS:${swath.url}/ogc/wmts/1.0.0/WMTSCapabilities.xml?api_key=${SERVICE_KEY},layer=${dataset},style=natural,tilematrixset=WebMercatorQuad,tilematrix=${z},extendbeyonddateline=no`;
  const read = join(folder, 'wmts.raw');
  translate([source, read, ...toWindow(TILE)]);
  comparePixels('WMTS, GDAL', own, read, [256, 256]);
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
  comparePixels('WMTS in UTM, GDAL', own, read, [256, 256]);
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
    console.log(`| OGC API - Coverages, ${what}, gdalwarp | ${values} values equal | passed |`);
  }
}

function readFloats(path: string): Float32Array {
  return new Float32Array(new Uint8Array(readFileSync(path)).buffer);
}

/** A tile that GDAL reads through the links of OGC API has the pixels of the first door's tile. */
async function judgeOgcApi(python: string): Promise<void> {
  const { z, x, y } = TILE;
  const own = await save(`/api/mosaic/S2L2A/${PERIOD}/B04,B03,B02/${z}/${x}/${y}.png`);
  const read = join(folder, 'ogcapi.raw');
  const program = fileURLToPath(new URL('translate_new_gdal.py', import.meta.url));
  const source = `OGCAPI:${swath.url}/ogc/collections/${dataset}?api_key=${SERVICE_KEY}`;
  const open = ['API=TILES', 'TILEMATRIXSET=WebMercatorQuad', `TILEMATRIX=${z}`, 'CACHE=NO'];
  const run = spawnSync(python, [program, source, read, ...open, '--', ...RAW, ...toWindow(TILE)], {
    encoding: 'utf8',
    cwd: folder,
  });
  assert.equal(run.status, 0, run.stderr);
  comparePixels(`OGC API - Tiles, GDAL ${run.stdout.trim()}`, own, read, [256, 256]);
  const small = join(folder, 'small.raw');
  const size = ['-of', 'ENVI', '-outsize', '100', '100'];
  const coverage = spawnSync(python, [program, source, small, 'API=COVERAGE', 'CACHE=NO', '--', ...size], {
    encoding: 'utf8',
    cwd: folder,
  });
  assert.equal(coverage.status, 0, coverage.stderr);
  const values = readFloats(small).filter((value) => value > 0).length;
  assert.ok(values > 10_000, `only ${values} values`);
  console.log(`| OGC API - Coverages, GDAL ${run.stdout.trim()} | ${values} values read | passed |`);
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
  comparePixels('WMS 1.3.0, GDAL', own, read, [width, height]);
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
function toWindow({ z, x, y }: typeof TILE): readonly string[] {
  const half = 20_037_508.342_789_244;
  const side = (2 * half) / 2 ** z;
  const window = [-half + x * side, half - y * side, -half + (x + 1) * side, half - (y + 1) * side];
  return ['-projwin', ...window.map(String), '-outsize', '256', '256'];
}

function translate(args: readonly string[]): void {
  runGdal('gdal_translate', ['-q', ...RAW, ...args]);
}

function runGdal(program: string, args: readonly string[]): void {
  // GDAL caches tiles in the working directory.
  const run = spawnSync(program, args, { encoding: 'utf8', cwd: folder });
  assert.equal(run.status, 0, run.error?.message ?? run.stderr);
}

/** Colours of transparent pixels mean nothing. */
function comparePixels(
  what: string,
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
  console.log(`| ${what} | ${shown} pixels equal | passed |`);
}
