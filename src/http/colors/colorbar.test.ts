import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discrete, makeColors, PRESET } from '../testing/make-colors.ts';

test('the colorbar of a name, in any case, or of a custom id', async () => {
  const { call, create, drawn } = makeColors();
  const id = await create(discrete);
  const response = await call('/api/render/colorbar/viridis/');
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'image/png');
  assert.deepEqual([...new Uint8Array(await response.arrayBuffer())], [0x89, 0x50, 0x4e, 0x47]);
  await call('/api/render/colorbar/VIRIDIS_R');
  await call(`/api/render/colorbar/${id}`);
  await call(`/api/render/colorbar/${id}_r`);
  await call(`/api/render/colorbar/${PRESET}`);
  const firsts = drawn.map(({ plan }) => plan.colors.slice(0, 6));
  assert.deepEqual(firsts, ['440154', 'fde725', '1f4e9e', '3f9b3f', 'ad0028']);
  assert.ok(drawn.every(({ size, range }) => size.width === 256 && size.height === 24 && range === null));
});

test('WIDTH, HEIGHT and MIN_MAX of a colorbar', async () => {
  const { call, drawn, refuse } = makeColors();
  await call('/api/render/colorbar/jet?WIDTH=2048&HEIGHT=1&MIN_MAX=-1,0.5');
  assert.deepEqual(drawn[0]?.size, { width: 2048, height: 1 });
  assert.deepEqual(drawn[0]?.range, { min: -1, max: 0.5 });
  const tags = await Promise.all(
    ['', '?WIDTH=255', '?HEIGHT=25', '?MIN_MAX=0,1', '?MIN_MAX=0,2'].map(
      async (query) => (await call(`/api/render/colorbar/jet${query}`)).headers.get('etag') ?? '',
    ),
  );
  assert.equal(new Set(tags).size, 5);
  for (const size of ['0', '2049', '-1', '1e2', '', '12.5', '0x10', '%EF%BC%91']) {
    await refuse(`/api/render/colorbar/jet?WIDTH=${size}`, 400, 'bad-colorbar-size');
    await refuse(`/api/render/colorbar/jet?HEIGHT=${size}`, 400, 'bad-colorbar-size');
  }
});
