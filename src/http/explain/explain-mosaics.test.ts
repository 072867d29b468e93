import assert from 'node:assert/strict';
import { test } from 'node:test';
import { box } from '../../catalog/testing/make-scene.ts';
import { tileGrid } from '../../geo/index.ts';
import type { MosaicPictureRequest, Mosaics, PlannedMosaic } from '../../mosaic/index.ts';
import type { Ticket } from '../../pool/index.ts';
import type { Explainer } from '../../render/index.ts';
import { makeTestApp } from '../testing/make-test-app.ts';

const grid = tileGrid({ z: 12, x: 655, y: 1420 });
const MOSAIC = 'S2L2A/2026-07/NDVI';
const TILE = `${MOSAIC}/12/655/1420`;

const candidate = (name: string) => ({ hit: { viewId: `S2L2A/${name}`, version: `version of ${name}` } });

const part = {
  scene: { viewId: 'S2L2A/a' },
  bytes: 1_000,
  part: {
    pixels: { viewId: 'S2L2A/a', sceneVersion: '1', grid },
    masks: [{ source: { kind: 'pixels', inputs: [] }, onlyOpaque: true }],
  },
};

interface Body {
  readonly explains: string;
  readonly etag?: string;
  readonly found: number;
  readonly scenes: readonly { readonly view_id: string; readonly role: string }[];
  readonly parts: readonly { readonly view_id: string; readonly steps: readonly unknown[] }[];
  readonly steps: readonly { readonly step: string; readonly detail: string }[];
  readonly contrast?: unknown;
  readonly pyramid?: string;
  readonly cached?: boolean;
  readonly drawn?: {
    readonly stages_ms: unknown;
    readonly picture?: unknown;
    readonly jobs: readonly { readonly job: string }[];
  };
}

function makeKit(more: Partial<PlannedMosaic> = {}) {
  const masks: unknown[] = [];
  const work: string[] = [];
  const plan = async (request: MosaicPictureRequest): Promise<PlannedMosaic> =>
    ({
      request: { ...request, grid },
      candidates: ['a', 'b', 'c'].map(candidate),
      others: 4,
      pyramid: null,
      etag: 'e',
      look: { color: null },
      ...more,
    }) as unknown as PlannedMosaic;
  const doing =
    <Result>(name: string, result: Result) =>
    async (_planned: unknown, ...args: readonly unknown[]): Promise<Result> => {
      work.push(name);
      (args.at(-1) as Ticket).onJob?.({ kind: name, queuedMs: 0, ranMs: 1, shared: false });
      return result;
    };
  const picture = { format: 'png', bytes: new Uint8Array(7), stagesMs: { read: 2 }, etag: 'newer' } as const;
  const mosaics: Partial<Mosaics> = {
    plan,
    planSomewhere: (request) => plan({ ...request, grid }),
    planFirst: async () => [part] as never,
    planContrast: async () => [{ scene: { viewId: 'S2L2A/clear' } }] as never,
    isCached: async () => true,
    render: doing('render', picture),
    drawSources: doing('drawSources', { ...picture, sources: [] }),
    findContrast: doing('findContrast', [{ min: 0, max: 1 }]),
    readValues: doing('readValues', {
      channels: [],
      mask: new Uint8Array(1),
      indexes: null,
      counts: null,
      sources: [],
    } as never),
  };
  const explainer: Partial<Explainer> = {
    async pixels(request) {
      masks.push(request.masks);
      const steps = [{ step: 'read', stage: 'read', detail: '2 windows of 2 files' } as const];
      return {
        bands: request.bands,
        grid,
        inputs: [],
        steps,
        cost: { bytes: 1_000, limitBytes: 2_000, work: 3, limitWork: 4 },
      };
    },
    contrast: async () => [{ kind: 'fixed', min: 0, max: 1 }],
  };
  const { call, post } = makeTestApp({ mosaics, explainer });
  const read = async (path: string): Promise<Body> => {
    const response = await call(`/api/mosaic/${path}`);
    assert.equal(response.status, 200, await response.clone().text());
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('x-ignored-parameters'), null);
    assert.equal(response.headers.get('content-type'), 'application/vnd.swath.explanation+json');
    return (await response.json()) as Body;
  };
  return { read, post, masks, work };
}

test('the explanation of a mosaic lists its scenes in order and what is read first', async () => {
  const { read, masks, work } = makeKit();
  const body = await read(`${TILE}?explain=1&selection=highest&by=NDVI&feather=0&dilate=30`);
  assert.equal(body.explains, 'mosaic');
  assert.equal(body.etag, '"e"');
  assert.equal(body.found, 7);
  assert.deepEqual(
    body.scenes.map(({ view_id, role }) => [view_id, role]),
    [
      ['S2L2A/a', 'candidate'],
      ['S2L2A/b', 'candidate'],
      ['S2L2A/c', 'candidate'],
    ],
  );
  assert.deepEqual(
    body.parts.map(({ view_id, steps }) => [view_id, steps.length]),
    [['S2L2A/a', 1]],
  );
  assert.deepEqual(
    body.steps.map(({ step, detail }) => [step, detail]),
    [
      ['dilate', 'masks grow by 30 m'],
      ['select', 'highest NDVI, one scene for each pixel'],
      ['contrast', 'the median of those of the listed scenes'],
      ['draw', 'colours, then the image format'],
    ],
  );
  assert.deepEqual(body.contrast, [
    { view_id: 'S2L2A/clear', channels: [{ contrast: 'fixed', min: 0, max: 1 }] },
  ]);
  assert.equal(body.cached, true);
  assert.equal(body.drawn, undefined);
  assert.deepEqual(work, [], 'nothing is drawn');
  // Masks are looked at as files of the scene too.
  assert.deepEqual(masks, [[{ plan: part.part.masks[0], viewId: 'S2L2A/a', sceneVersion: '1' }]]);
});

test('explain=drawn reports where the time went, with the ETag of the drawn tile', async () => {
  const { drawn, etag } = await makeKit().read(`${TILE}?explain=drawn`);
  assert.deepEqual(drawn?.stages_ms, { read: 2 });
  assert.deepEqual(drawn?.picture, { format: 'png', bytes: 7 });
  assert.equal(etag, '"newer"');
});

test('the explanation names the pyramid tile that is used, and selects no scene', async () => {
  const pyramid = { key: 'k', tile: { z: 3, x: 1, y: 2 }, madeOf: 'm' };
  const body = await makeKit({ candidates: [], others: 0, pyramid }).read(`${TILE}?explain=1`);
  assert.equal(body.pyramid, '3/1/2');
  assert.deepEqual(
    body.steps.map(({ step }) => step),
    ['contrast', 'draw'],
  );
});

for (const [path, explains, done] of [
  [`legend/${TILE}`, 'mosaic-legend', 'findContrast'],
  [`ir/${MOSAIC}`, 'mosaic-intensity', 'findContrast'],
  [`sources/${TILE}`, 'mosaic-sources', 'drawSources'],
  [`sources/legend/${TILE}`, 'mosaic-sources', 'drawSources'],
  [`point/${MOSAIC}/48.2/-122.4`, 'mosaic-point', 'readValues'],
] as const) {
  test(`${path.split('/S2L2A')[0]} of a mosaic is explained, with drawn after it was made`, async () => {
    const { read, work } = makeKit();
    const plan = await read(`${path}?explain=1`);
    assert.equal(plan.explains, explains);
    assert.deepEqual([plan.found, plan.scenes.length, plan.etag, plan.cached], [7, 3, undefined, undefined]);
    const isMeasured = done === 'findContrast';
    assert.equal(plan.parts.length, isMeasured ? 0 : 1, 'a contrast reads its sample only');
    assert.equal(plan.contrast !== undefined, isMeasured);
    assert.deepEqual(work, []);
    const { drawn } = await read(`${path}?explain=drawn`);
    assert.deepEqual(work, [done]);
    assert.deepEqual(
      drawn?.jobs.map(({ job }) => job),
      [done],
    );
  });
}

test('the explanation of mosaic statistics shows the pixels that they count', async () => {
  const { post, work } = makeKit();
  const area = { geometry: box(-122.42, 48.2, -122.4, 48.22) };
  const response = await post(`/api/mosaic/statistics/${MOSAIC}?explain=1`, area);
  const plan = (await response.json()) as Body;
  assert.deepEqual([plan.explains, plan.parts.length, work.length], ['mosaic-statistics', 1, 0]);
  const drawn = (await (await post(`/api/mosaic/statistics/${MOSAIC}?explain=drawn`, area)).json()) as Body;
  assert.deepEqual([drawn.drawn?.jobs[0]?.job, work], ['readValues', ['readValues']]);
});
