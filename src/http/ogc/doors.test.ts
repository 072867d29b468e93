import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { OTHER_KEY, otherRecord, TEST_KEY } from '../testing/make-test-app.ts';
import { makeOgcApp } from './testing/make-ogc-app.ts';

/** How a door writes errors: its media type, and where our code is. */
interface Shape {
  readonly type: string;
  readonly readCode: (text: string) => string | undefined;
}

const fromJson =
  (...names: readonly string[]) =>
  (text: string): string | undefined => {
    const body = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return names.every((name) => typeof body[name] === 'string') ? String(body.code) : undefined;
  };
const fromXml =
  (root: string, element: string) =>
  (text: string): string | undefined =>
    new RegExp(`<${root}[ >][^]*<${element}[^>]*>([a-z-]+): [^<]+</${element}>[^]*</${root}>\\s*$`).exec(
      text,
    )?.[1];

const OWN: Shape = { type: 'application/json', readCode: fromJson('error', 'request_id') };
const STAC: Shape = { type: 'application/json', readCode: fromJson('error', 'description') };
const PROBLEM: Shape = { type: 'application/problem+json', readCode: fromJson('type', 'title', 'detail') };
const OWS: Shape = {
  type: 'text/xml; charset=utf-8',
  readCode: fromXml('ExceptionReport', 'ExceptionText'),
};
const WMS_13: Shape = {
  type: 'text/xml; charset=utf-8',
  readCode: fromXml('ServiceExceptionReport', 'ServiceException'),
};
const WMS_11: Shape = { ...WMS_13, type: 'application/vnd.ogc.se_xml' };

/** A request that a door refuses. */
type Refused = readonly [path: string, status: number, code: string];

interface Door {
  readonly name: string;
  readonly shape: Shape;
  /** An address that answers every key. */
  readonly open: string;
  /** Addresses of a recipe: its owner gets it, and any other key is refused with this status and code. */
  readonly ofRecipe: readonly [toPath: (recipe: string) => string, status: number, code: string] | null;
  readonly tooLarge: Refused;
  readonly malformed: Refused;
}

const WMS_MAP = 'SERVICE=WMS&REQUEST=GetMap&STYLES=&BBOX=0,0,90000,90000&FORMAT=image/png';
const toWms = (version: string, layer: string, more: string): string =>
  `/ogc/wms?${WMS_MAP}&VERSION=${version}&LAYERS=${layer}&${version === '1.3.0' ? 'CRS' : 'SRS'}=${more}`;
const toWmts = (layer: string, row: string): string =>
  `/ogc/wmts?SERVICE=WMTS&VERSION=1.0.0&REQUEST=GetTile&LAYER=${layer}&STYLE=default&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=9&TILEROW=${row}&TILECOL=259&FORMAT=image/png`;
const SCENE = `scene.${makeScene(21).viewId.replaceAll('/', '_')}`;
const SMALL = 'EPSG:3857&WIDTH=64&HEIGHT=64';
const HUGE = 'EPSG:3857&WIDTH=99999&HEIGHT=99999';
const COVERAGE = 'coverage?properties=B04&bbox=2,42,2.1,42.1';

const doors: readonly Door[] = [
  {
    name: 'STAC',
    shape: STAC,
    open: '/stac/search?limit=1',
    // A scene belongs to all keys, and a recipe is a part of a collection.
    ofRecipe: null,
    tooLarge: [`/stac/search?q=${'x'.repeat(9_000)}`, 414, 'query-too-long'],
    malformed: ['/stac/search?bbox=1,2,3', 400, 'bad-bbox'],
  },
  ...(['1.3.0', '1.1.1'] as const).map(
    (version): Door => ({
      name: `WMS ${version}`,
      shape: version === '1.3.0' ? WMS_13 : WMS_11,
      open: toWms(version, SCENE, SMALL),
      ofRecipe: [(id) => toWms(version, `recipe.${id}`, SMALL), 400, 'unknown-layer'],
      tooLarge: [toWms(version, SCENE, HUGE), 400, 'bad-size'],
      malformed: [toWms(version, 'sentinel2', `${SMALL}&TIME=yesterday`), 400, 'bad-time'],
    }),
  ),
  {
    name: 'WMTS by key-value pairs',
    shape: OWS,
    open: toWmts(SCENE, '189'),
    ofRecipe: [(id) => toWmts(`recipe.${id}`, '189'), 400, 'unknown-layer'],
    tooLarge: [toWmts(SCENE, '99999'), 400, 'no-such-tile'],
    malformed: [`${toWmts('sentinel2', '189')}&TIME=yesterday`, 400, 'bad-time'],
  },
  {
    name: 'WMTS by address',
    shape: OWS,
    open: `/ogc/wmts/1.0.0/${SCENE}/default/WebMercatorQuad/9/189/259.png`,
    ofRecipe: [
      (id) => `/ogc/wmts/1.0.0/recipe.${id}/default/WebMercatorQuad/9/189/259.png`,
      404,
      'unknown-layer',
    ],
    tooLarge: [`/ogc/wmts/1.0.0/${SCENE}/default/WebMercatorQuad/9/99999/259.png`, 404, 'no-such-tile'],
    malformed: [`/ogc/wmts/1.0.0/${SCENE}/nothing/WebMercatorQuad/9/189/259.png`, 400, 'unknown-style'],
  },
  {
    name: 'OGC API - Tiles',
    shape: PROBLEM,
    open: `/ogc/collections/${SCENE}/map/tiles/WebMercatorQuad/9/189/259`,
    ofRecipe: [
      (id) => `/ogc/collections/recipe.${id}/map/tiles/WebMercatorQuad/9/189/259`,
      404,
      'unknown-layer',
    ],
    tooLarge: [`/ogc/collections/${SCENE}/map/tiles/WebMercatorQuad/9/99999/259`, 404, 'no-such-tile'],
    malformed: [
      '/ogc/collections/sentinel2/map/tiles/WebMercatorQuad/9/189/259?datetime=yesterday',
      400,
      'bad-time',
    ],
  },
  {
    name: 'OGC API - Maps',
    shape: PROBLEM,
    open: `/ogc/collections/${SCENE}/map?width=64`,
    ofRecipe: [(id) => `/ogc/collections/recipe.${id}/map?width=64`, 404, 'unknown-layer'],
    tooLarge: [`/ogc/collections/${SCENE}/map?width=99999`, 400, 'bad-size'],
    malformed: [`/ogc/collections/${SCENE}/map?width=64&bbox=1,2,3`, 400, 'bad-bbox'],
  },
  {
    name: 'OGC API - Coverages',
    shape: PROBLEM,
    open: `/ogc/collections/${SCENE}/${COVERAGE}`,
    ofRecipe: [(id) => `/ogc/collections/recipe.${id}/${COVERAGE}`, 404, 'unknown-layer'],
    // The number of pixels is limited where they are read.
    tooLarge: [
      `/ogc/collections/${SCENE}/coverage?properties=${Array(33).fill('B04').join()}`,
      400,
      'bad-properties',
    ],
    malformed: [`/ogc/collections/${SCENE}/coverage?bbox=1,2,3`, 400, 'bad-bbox'],
  },
  {
    name: 'OGC API documents',
    shape: PROBLEM,
    open: `/ogc/collections/${SCENE}`,
    ofRecipe: [(id) => `/ogc/collections/recipe.${id}`, 404, 'unknown-layer'],
    tooLarge: [`/ogc/collections/${SCENE}?a=${'x'.repeat(9_000)}`, 414, 'query-too-long'],
    malformed: ['/ogc/tileMatrixSets/Nothing', 404, 'unknown-tile-matrix-set'],
  },
  {
    name: 'the list of XYZ addresses',
    shape: OWN,
    open: '/ogc/xyz',
    ofRecipe: null,
    tooLarge: ['/ogc/xyz?days=9999', 400, 'bad-days'],
    malformed: ['/ogc/xyz?days=soon', 400, 'bad-days'],
  },
];

/** A key that may do little: as many requests of a minute as its record says. */
const SLOW_KEY = 'a-key-with-a-limit';
const toSlow = (ratePerMinute: number) =>
  [
    createHash('sha256').update(SLOW_KEY).digest('hex'),
    { ...otherRecord[1], id: 's1', label: 'slow', ratePerMinute },
  ] as const;

/** The application over one scene and a recipe of the first key. */
async function makeDoors() {
  const app = makeOgcApp({
    planCoverage: async () => ({ content: 'it', read: async () => Uint8Array.of(1) }),
    records: [otherRecord, toSlow(2)],
  });
  const { id } = await app.create();
  const answers = async (path: string, key: string): Promise<Response> => {
    const response = await app.call(path, { key });
    assert.equal(response.status, 200, `${path}: ${await response.clone().text()}`);
    return response;
  };
  const refuses = async ([path, status, code]: Refused, shape: Shape, key: string | null) => {
    const response = await app.call(path, { key });
    const text = await response.text();
    const seen = [response.status, response.headers.get('content-type'), shape.readCode(text)];
    assert.deepEqual(seen, [status, shape.type, code], `${path}: ${text}`);
    assert.ok(!text.includes(TEST_KEY) && !/\bat .*\.ts:\d/.test(text), text);
    return response;
  };
  return { id, answers, refuses };
}

for (const { name, shape, open, ofRecipe, tooLarge, malformed } of doors) {
  test(`${name}: a key that is missing, wrong or at its limit is refused in its own error format`, async () => {
    const { answers, refuses } = await makeDoors();
    await refuses([open, 401, 'no-key'], shape, null);
    await refuses([open, 403, 'bad-key'], shape, 'an-invented-key-of-no-one');
    await answers(open, SLOW_KEY);
    await answers(open, SLOW_KEY);
    const late = await refuses([open, 429, 'rate-limited'], shape, SLOW_KEY);
    assert.ok(Number(late.headers.get('retry-after')) >= 1);
    await answers(open, TEST_KEY);
  });

  test(`${name}: recipes of another key and requests that are too large or malformed are refused in its own error format`, async () => {
    const { id, answers, refuses } = await makeDoors();
    if (ofRecipe !== null) {
      const [toPath, status, code] = ofRecipe;
      await answers(toPath(id), TEST_KEY);
      await refuses([toPath(id), status, code], shape, OTHER_KEY);
    }
    await answers(open, TEST_KEY);
    await refuses(tooLarge, shape, TEST_KEY);
    await refuses(malformed, shape, TEST_KEY);
  });

  test(`${name}: an unknown parameter changes nothing, and a header names it`, async () => {
    const { answers } = await makeDoors();
    const plain = await answers(open, TEST_KEY);
    assert.equal(plain.headers.get('x-ignored-parameters'), null);
    const more = await answers(`${open}${open.includes('?') ? '&' : '?'}Colour=red`, TEST_KEY);
    assert.equal(more.headers.get('x-ignored-parameters'), 'Colour');
    assert.equal(more.headers.get('content-type'), plain.headers.get('content-type'));
  });
}

test('a recipe appears only in lists and collections of its own key', async () => {
  const { id, answers } = await makeDoors();
  for (const path of [
    '/stac/collections/sentinel2',
    '/ogc/collections',
    '/ogc/xyz',
    '/ogc/wms?SERVICE=WMS&REQUEST=GetCapabilities',
    '/ogc/wmts?SERVICE=WMTS&REQUEST=GetCapabilities',
  ])
    for (const [key, isOwner] of [
      [TEST_KEY, true],
      [OTHER_KEY, false],
    ] as const)
      assert.equal((await (await answers(path, key)).text()).includes(id), isOwner, `${path} ${isOwner}`);
});

test('an XYZ token draws only recipes of its own key', async () => {
  const { id, answers, refuses } = await makeDoors();
  const toTile = async (key: string): Promise<string> => {
    const { layers } = (await (await answers('/ogc/xyz', key)).json()) as { layers: { tiles: string[] }[] };
    const { pathname } = new URL(layers[0]?.tiles[0]?.replaceAll(/[{}]/g, '') ?? assert.fail());
    const token = pathname.split('/')[3] ?? assert.fail(pathname);
    return `/ogc/xyz/${token}/recipe.${id}/default/9/259/189.png`;
  };
  const [own, other] = [await toTile(TEST_KEY), await toTile(OTHER_KEY)];
  await refuses([own.replace(/(?<=xyz\/)[^/]+/, 'a-token'), 404, 'unknown-map'], OWN, null);
  await refuses([other, 404, 'unknown-layer'], OWN, null);
  const drawn = await answers(own, TEST_KEY);
  assert.equal(drawn.headers.get('content-type'), 'image/png');
});

test('an unknown address is refused in the error format of the standard that it belongs to', async () => {
  const { refuses } = await makeDoors();
  const unknown: readonly (readonly [path: string, shape: Shape])[] = [
    ['/stac/nothing', STAC],
    ['/stac/collections/sentinel2/nothing', STAC],
    ['/ogc/nothing', PROBLEM],
    ['/ogc/collections/sentinel2/nothing/at/all', PROBLEM],
    ['/ogc/wmts/1.0.0/nothing.xml', OWS],
    ['/ogc/wmts/2.0.0/sentinel2/default/WebMercatorQuad/9/189/259.png', OWS],
    ['/ogc/wms/nothing', WMS_13],
    ['/ogc/wms/nothing?VERSION=1.1.1', WMS_11],
    ['/ogc/xyz/nothing', OWN],
    ['/ogc/legends', OWN],
    ['/ogcnothing', OWN],
  ];
  for (const key of [TEST_KEY, null])
    for (const [path, shape] of unknown) await refuses([path, 404, 'unknown-route'], shape, key);
});

test('a method that an address does not answer is refused in the same format, with those that it does', async () => {
  const app = makeOgcApp();
  for (const [path, shape] of [
    ['/stac/conformance', STAC],
    ['/ogc/conformance', PROBLEM],
    ['/ogc/wmts/1.0.0/WMTSCapabilities.xml', OWS],
  ] as const) {
    const response = await app.call(path, { method: 'DELETE' });
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), shape.readCode(await response.text())],
      [405, shape.type, 'method-not-allowed'],
    );
    assert.match(response.headers.get('allow') ?? '', /GET/);
  }
});
