import assert from 'node:assert/strict';
import { test } from 'node:test';
import { box } from '../../catalog/testing/make-scene.ts';
import type { Ticket } from '../../pool/index.ts';
import type { TerrainExplainer, TerrainTiles } from '../../terrain/index.ts';
import { makeTestApp } from '../testing/make-test-app.ts';

const findings = { survey: null, problem: { code: 'source-gone', message: 'A file cannot be opened.' } };
const heights: Awaited<ReturnType<TerrainExplainer['tile']>> = {
  grid: { epsg: 3857, transform: [100, 10, 0, 200, 0, -10], width: 2, height: 3 },
  models: ['alps'],
  isUnknown: false,
  inputs: [
    {
      dem: 'alps',
      file: { store: 'folder', name: 'n46.tif' },
      bandIndex: 0,
      level: 1,
      window: { x: 1, y: 2, width: 3, height: 4 },
      method: 'cubic',
      scale: 0.5,
      offset: 10,
      ...findings,
    },
  ],
  steps: [{ step: 'read', stage: 'read', detail: 'windows: 1; elevation models: 1' }],
  bytes: 7,
  limitBytes: 9,
};

function makeKit() {
  const work: string[] = [];
  const doing =
    <Result>(name: string, result: Result) =>
    async (_request: unknown, ticket: Ticket): Promise<Result> => {
      work.push(name);
      ticket.onJob?.({ kind: name, queuedMs: 0, ranMs: 1, shared: false });
      return result;
    };
  const terrainTiles: Partial<TerrainTiles> = {
    plan: async (request) => ({ request, plan: {} as never, planJson: '{}', etag: 'a1', isUnknown: false }),
    render: doing('tile', { bytes: new Uint8Array(5), format: 'png', etag: 'a2', stagesMs: { read: 1 } }),
    onCurrent: (tile, run) => run(tile),
    isCached: async () => true,
  };
  const explain = async () => heights;
  const terrainExplainer: TerrainExplainer = {
    tile: explain,
    point: explain,
    profile: explain,
    area: explain,
  };
  const app = makeTestApp({
    terrain: {
      terrainTiles: terrainTiles as TerrainTiles,
      terrainExplainer,
      readElevation: doing('elevation', 1),
      readProfile: doing('profile', {} as never),
      readAreaStatistics: doing('area', {} as never),
    },
  });
  return { ...app, work };
}

for (const [path, explains, done] of [
  ['11/328/710', 'terrain', 'tile'],
  ['point/48.2/-122.4', 'elevation', 'elevation'],
  ['profile', 'profile', 'profile'],
  ['statistics', 'terrain-statistics', 'area'],
] as const) {
  test(`terrain/${path.replace(/\/\d.*/, '')} is explained as ${explains}, with drawn after the work`, async () => {
    const { call, post, work } = makeKit();
    const ask = async (mode: string) => {
      const line = path === 'profile' ? '&LINE=9,49;10,49' : '';
      const address = `/api/render/terrain/${path}?explain=${mode}${line}`;
      const response = await (path === 'statistics'
        ? post(address, { geometry: box(9, 49, 9.1, 49.1) })
        : call(address));
      assert.equal(response.status, 200, await response.clone().text());
      assert.equal(response.headers.get('content-type'), 'application/vnd.swath.explanation+json');
      assert.equal(response.headers.get('x-ignored-parameters'), null);
      const { request_id: _, ...body } = (await response.json()) as Record<string, unknown>;
      return body;
    };
    assert.deepEqual(await ask('1'), {
      explains,
      ...(done === 'tile' ? { etag: '"a1"', cached: true } : {}),
      models: ['alps'],
      empty: false,
      grid: { epsg: 3857, width: 2, height: 3, bounds: [100, 170, 120, 200] },
      inputs: [
        {
          role: 'heights',
          model: 'alps',
          file: { store: 'folder', name: 'n46.tif', band_index: 0 },
          read: { level: 1, window: { x: 1, y: 2, width: 3, height: 4 }, resampling: 'cubic' },
          calibration: { rule: 'metres', parameters: { scale: 0.5, offset: 10 } },
          problem: { code: 'source-gone', error: 'A file cannot be opened.' },
        },
      ],
      steps: heights.steps,
      cost: { bytes: 7, bytes_limit: 9 },
    });
    assert.deepEqual(work, []);
    const { drawn, etag } = (await ask('drawn')) as { drawn: { jobs: { job: string }[] }; etag?: string };
    assert.deepEqual(work, [done]);
    assert.deepEqual(
      drawn.jobs.map(({ job }) => job),
      [done],
    );
    assert.equal(etag, done === 'tile' ? '"a2"' : undefined);
  });
}
