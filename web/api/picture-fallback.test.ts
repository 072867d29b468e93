import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePictureFallback } from './picture-fallback.ts';

const refuse = (code: string): Response =>
  new Response(JSON.stringify({ status: false, error: 'Refused.', code }), { status: 422 });

/** A server that has no natural colour, and what it was asked for. */
const makeServer = (code: string) => {
  const sent: string[] = [];
  const send = async (path: string): Promise<Response> => {
    sent.push(path);
    return path.includes('STRETCH=natural') ? refuse(code) : new Response('drawn');
  };
  return { sent, send };
};

test('a picture without natural colour is requested with automatic contrast, and its next tiles directly so', async () => {
  const { sent, send } = makeServer('no-natural-range');
  const orWithout = makePictureFallback();
  const first = await orWithout('/api/S2/x/B04/9/1/2?COLORMAP=hot&STRETCH=natural', send);
  const second = await orWithout('/api/S2/x/B04/9/1/3?COLORMAP=hot&STRETCH=natural', send);
  assert.deepEqual([await first.text(), await second.text()], ['drawn', 'drawn']);
  await orWithout('/api/S2/y/B04/9/1/3?STRETCH=natural&CALIBRATE=1', send);
  assert.deepEqual(sent, [
    '/api/S2/x/B04/9/1/2?COLORMAP=hot&STRETCH=natural',
    '/api/S2/x/B04/9/1/2?COLORMAP=hot',
    '/api/S2/x/B04/9/1/3?COLORMAP=hot',
    '/api/S2/y/B04/9/1/3?STRETCH=natural&CALIBRATE=1',
    '/api/S2/y/B04/9/1/3?CALIBRATE=1',
  ]);
});

test('other refusals are returned unchanged, and other requests are sent once', async () => {
  const { sent, send } = makeServer('no-band');
  const orWithout = makePictureFallback();
  const response = await orWithout('/api/S2/x/B04/9/1/2?STRETCH=natural', send);
  assert.equal(response.status, 422);
  assert.match(await response.text(), /no-band/);
  await orWithout('/api/S2/x/B04/9/1/2', send);
  assert.deepEqual(sent, ['/api/S2/x/B04/9/1/2?STRETCH=natural', '/api/S2/x/B04/9/1/2']);
});

test('clouds are not painted without a mask; one picture may get both refusals', async () => {
  const sent: string[] = [];
  const send = async (path: string): Promise<Response> => {
    sent.push(path);
    if (path.includes('MASKING')) return refuse('no-cloud-mask');
    return path.includes('STRETCH') ? refuse('no-natural-range') : new Response('drawn');
  };
  const orWithout = makePictureFallback();
  const path = '/api/S2/x/NDVI/9/1/2?COLORMAP=hot&STRETCH=natural&MASKING=CLOUD_SHADOW&MASK_COLOR=b4b4b4';
  assert.equal(await (await orWithout(path, send)).text(), 'drawn');
  await orWithout(path, send);
  assert.deepEqual(sent.slice(1), [
    '/api/S2/x/NDVI/9/1/2?COLORMAP=hot&STRETCH=natural',
    '/api/S2/x/NDVI/9/1/2?COLORMAP=hot',
    '/api/S2/x/NDVI/9/1/2?COLORMAP=hot',
  ]);
});
