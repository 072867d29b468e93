import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTileSets } from './custom-tile-sets.ts';
import { listLimits, readTile } from './matrix-tiles.ts';
import { makeOgcApp } from './testing/make-ogc-app.ts';
import type { TileMatrixSet } from './tile-matrix-sets.ts';
import { makeTileMatrixSets } from './tile-matrix-sets.ts';

const sets = makeTileMatrixSets([]);
const near = (actual: number | undefined, wanted: number): void =>
  assert.ok(Math.abs((actual ?? 0) / wanted - 1) < 1e-12, `${actual} instead of ${wanted}`);

test('UTM tile matrix sets have the numbers of the OGC register', () => {
  const set = sets.find('UTM31WGS84Quad');
  const [first, second] = set.matrices;
  near(first?.scaleDenominator, 279_072_704.500_914);
  near(second?.cellSize, 39_070.178_630_128);
  assert.deepEqual([first?.id, first?.columns, first?.rows, second?.rows], ['1', 1, 2, 4]);
  const fine = set.matrices.find(({ id }) => id === '14');
  near(fine?.cellSize, 9.538_617_829_621_09);
  assert.deepEqual([fine?.columns, fine?.rows, set.epsg], [8_192, 16_384, 32_631]);
});

const scene = { kind: 'scene' } as never;

test('a layer is offered in the UTM zones that it touches, also across the antimeridian; a wide layer is offered in none', () => {
  const zonesOf = (west: number, east: number): readonly string[] =>
    sets
      .of({ source: scene, bounds: { west, east, south: 10, north: 20 } })
      .flatMap(({ id }) => /^UTM(\d\d)/.exec(id)?.[1] ?? []);
  assert.deepEqual(zonesOf(3.1, 5), ['31']);
  assert.deepEqual(zonesOf(5, 7), ['31', '32']);
  assert.deepEqual(zonesOf(0, 6), ['31']);
  assert.deepEqual(zonesOf(178, 182), ['60', '01']);
  assert.deepEqual(zonesOf(-180, 180), []);
});

test('a UTM set is limited to the tiles of its own zone', () => {
  const facts = { bounds: { west: 5, east: 7, south: 49, north: 50 }, minzoom: 8, maxzoom: 14 };
  const limits = listLimits(sets.find('UTM32WGS84Quad'), facts);
  assert.deepEqual(
    limits.map(({ matrix }) => matrix),
    ['8', '9', '10', '11', '12', '13', '14'],
  );
  const fine = limits.at(-1);
  const left = (column: number): number => -9_501_965.73 + column * 256 * 9.538_617_829_621;
  // 6° E at 49° N is easting 280,000 of the zone; 7° E at 49° N is 353,700.
  assert.ok(left(fine?.minColumn ?? 0) <= 281_000 && left((fine?.minColumn ?? 0) + 1) > 280_000);
  assert.ok(left(fine?.maxColumn ?? 0) <= 357_000 && left((fine?.maxColumn ?? 0) + 1) > 353_000);
});

/** As the register writes EuropeanETRS89_LAEAQuad: northing first. */
const laea = (more: object = {}, matrix: object = {}): string =>
  JSON.stringify({
    id: 'EuropeanETRS89_LAEAQuad',
    title: 'Lambert <Europe>',
    crs: 'http://www.opengis.net/def/crs/EPSG/0/3035',
    orderedAxes: ['N', 'E'],
    tileMatrices: ['0', '1'].map((id, i) => ({
      id,
      scaleDenominator: 62_779_017.857_142_866 / 2 ** i,
      cellSize: 17_578.125 / 2 ** i,
      cornerOfOrigin: 'topLeft',
      pointOfOrigin: [5_500_000, 2_000_000],
      tileWidth: 256,
      tileHeight: 256,
      matrixWidth: 2 ** i,
      matrixHeight: 2 ** i,
      ...matrix,
    })),
    ...more,
  });

const parse = (text: string): TileMatrixSet => {
  const [set] = parseTileSets([{ name: 'a.json', text }]);
  assert.ok(set !== undefined);
  return set;
};

test('a file of the register is read as a set, with its axis order', () => {
  const set = parse(laea());
  near(set.matrices[0]?.scaleDenominator, 62_779_017.857_142_866);
  const { ground, epsg } = readTile(set, { matrix: '1', row: '0', column: '1' });
  assert.equal(epsg, 3_035);
  assert.deepEqual(ground, {
    kind: 'bounds',
    epsg: 3_035,
    bounds: { minX: 4_250_000, minY: 3_250_000, maxX: 6_500_000, maxY: 5_500_000 },
  });
});

test('an unusable file is refused with its name and the reason', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['{', /a\.json is not JSON/],
    ['[]', /not a JSON object/],
    [laea({ id: '../x' }), /needs an id/],
    [laea({ id: 'WebMercatorQuad' }), /which another set has/],
    [laea({ crs: 'http://www.opengis.net/def/crs/EPSG/0/9999' }), /crs that cannot be used/],
    [laea({ crs: {} }), /needs a crs/],
    [laea({ tileMatrices: [] }), /1 to 32/],
    [laea({}, { id: 'a' }), /two tileMatrices with the same id/],
    [laea({}, { id: '<' }), /without an id/],
    [laea({}, { cornerOfOrigin: 'bottomLeft' }), /topLeft/],
    [laea({}, { variableMatrixWidths: [] }), /different widths/],
    [laea({}, { tileWidth: 4_096 }), /tileWidth of matrix 0: a number above 0, at most 1024/],
    [laea({}, { tileHeight: 1.5 }), /a whole number/],
    [laea({}, { cellSize: 0 }), /needs cellSize/],
    [laea({}, { pointOfOrigin: [1] }), /pointOfOrigin/],
  ];
  for (const [text, why] of refused) assert.throws(() => parse(text), why);
  const twice = [1, 2].map((i) => ({ name: `${i}.json`, text: laea() }));
  assert.throws(() => parseTileSets(twice), /2\.json has the id/);
});

test('every OGC service offers the sets of the operator, and draws their tiles in their size', async () => {
  const { call, planned, sceneLayer } = makeOgcApp({
    tileSetFiles: [{ name: 'a.json', text: laea({}, { tileWidth: 512, tileHeight: 128 }) }],
  });
  const wmts = await (await call('/ogc/wmts?REQUEST=GetCapabilities')).text();
  assert.match(wmts, /<ows:Title>Lambert &lt;Europe&gt;<\/ows:Title>/);
  assert.match(wmts, /<TopLeftCorner>5500000 2000000<\/TopLeftCorner><TileWidth>512/);
  assert.equal(wmts.match(/<TileMatrixSet>EuropeanETRS89_LAEAQuad</g)?.length, 1);
  const { tileMatrixSets } = (await (await call('/ogc/tileMatrixSets')).json()) as {
    tileMatrixSets: { id: string; uri?: string }[];
  };
  assert.deepEqual([tileMatrixSets.length, tileMatrixSets.at(-1)?.uri], [63, undefined]);
  const document = (await (await call('/ogc/tileMatrixSets/EuropeanETRS89_LAEAQuad')).json()) as {
    tileMatrices: { pointOfOrigin: number[] }[];
  };
  assert.deepEqual(document.tileMatrices[1]?.pointOfOrigin, [5_500_000, 2_000_000]);
  const tile = await call(`/ogc/wmts/1.0.0/${sceneLayer}/default/EuropeanETRS89_LAEAQuad/1/0/0@2x.png`);
  assert.equal(tile.status, 200);
  const grid = planned.at(-1)?.grid;
  assert.deepEqual([grid?.epsg, grid?.width, grid?.height], [3_035, 1_024, 256]);
  const beyond = await call(`/ogc/wmts/1.0.0/${sceneLayer}/default/EuropeanETRS89_LAEAQuad/2/0/0.png`);
  assert.match(
    await beyond.text(),
    /no-such-tile: There is no such tile matrix: EuropeanETRS89_LAEAQuad has 0 to 1/,
  );
});
