import assert from 'node:assert/strict';
import { test } from 'node:test';
import { letTurnsPass } from '../../testing/let-turns-pass.ts';
import { waitFor } from '../../testing/wait-for.ts';
import { makeTestServer } from '../server/testing/make-test-server.ts';
import { makeTestApp, TEST_KEY } from '../testing/make-test-app.ts';

const TILE = '/api/render/S2/31/T/DH/2026/6/21/0/B04,B03,B02/12/2081/1510';
/** More than the system takes from us before a client reads. */
const BYTES = 16 * 2 ** 20;

async function listenWith(bytes: Uint8Array<ArrayBuffer>, isSole: boolean) {
  const { app, table } = makeTestApp({
    renderer: {
      plan: async () => ({
        plan: {} as never,
        scene: {} as never,
        etag: 'abc',
        outline: null,
        request: {} as never,
      }),
      render: async () => ({ bytes, format: 'png', stagesMs: {}, isSole, etag: 'abc' }),
    },
  });
  return makeTestServer({ app, routes: table });
}

for (const isSole of [true, false]) {
  test(`a picture arrives whole, then its memory is ${isSole ? 'freed' : 'left to its other holders'}`, async () => {
    const bytes = new Uint8Array(BYTES).fill(7);
    const server = await listenWith(bytes, isSole);
    try {
      const response = await fetch(`http://127.0.0.1:${server.port}${TILE}`, {
        headers: { 'x-api-key': TEST_KEY },
      });
      await letTurnsPass();
      assert.equal(bytes.length, BYTES, 'not freed while the client has not read it');
      const received = Buffer.from(await response.arrayBuffer());
      assert.ok(received.equals(Buffer.alloc(BYTES, 7)));
      if (isSole) await waitFor(() => bytes.buffer.detached);
      else await letTurnsPass();
      assert.equal(bytes.buffer.detached, isSole);
    } finally {
      await server.close(1_000);
    }
  });
}
