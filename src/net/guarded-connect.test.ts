import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SwathError } from '../errors.ts';
import type { ResolveName } from './guarded-connect.ts';
import { makeSlabReads } from './guarded-connect.ts';
import { makeGuardedFetch } from './guarded-fetch.ts';
import { get, startCanary, toLoopback } from './testing/canary.ts';
import { HOSTILE_ADDRESSES } from './testing/hostile-addresses.ts';

/** Bytes that differ wherever slabs could be mixed up. */
const makeBytes = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i + 4 <= length; i += 4) bytes.writeUInt32LE(i, i);
  return bytes;
};

/** Sends pieces one after the other, each after the last was accepted, to a socket that reads into slabs. */
async function withSocket(pieces: readonly Buffer[], read: (socket: Socket) => Promise<void>): Promise<void> {
  const server = createServer(async (peer) => {
    peer.setNoDelay(true).on('error', () => {});
    for (const piece of pieces) {
      if (!peer.write(piece)) await once(peer, 'drain');
      await nextTurn();
    }
    peer.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const { port } = server.address() as AddressInfo;
  // More than a slab may be buffered. Node's types lack this option.
  const options = { port, host: '127.0.0.1', onread: makeSlabReads(), highWaterMark: 512 * 1024 };
  const socket = connect(options);
  try {
    await read(socket);
  } finally {
    socket.destroy();
    server.close();
  }
}

test('chunks of every size arrive in order, in few buffers', async () => {
  const bytes = makeBytes(4 * 1024 * 1024);
  const pieces: Buffer[] = [];
  for (let from = 0, size = 1; from < bytes.length; from += size, size = (size * 5 + 3) % 150_001) {
    pieces.push(bytes.subarray(from, from + size));
  }
  await withSocket(pieces, async (socket) => {
    const memory = new Set<ArrayBufferLike>();
    let filled = 0;
    socket.on('readable', () => {
      for (
        let chunk = socket.read() as Buffer | null;
        chunk !== null;
        chunk = socket.read() as Buffer | null
      ) {
        assert.ok(chunk.equals(bytes.subarray(filled, filled + chunk.length)), `at ${filled}`);
        filled += chunk.length;
        memory.add(chunk.buffer);
      }
    });
    await once(socket, 'end');
    assert.equal(filled, bytes.length);
    assert.ok(memory.size < 10, `${memory.size} buffers`);
  });
});

test('a chunk stays unchanged until 64 KiB more have arrived', async () => {
  const bytes = makeBytes(1024 * 1024);
  const pieces = Array.from({ length: 128 }, (_, i) => bytes.subarray(i * 8192, (i + 1) * 8192));
  await withSocket(pieces, async (socket) => {
    const kept: { readonly at: number; readonly chunk: Buffer }[] = [];
    let filled = 0;
    socket.on('data', (chunk: Buffer) => {
      kept.push({ at: filled, chunk });
      filled += chunk.length;
      for (const { at, chunk: earlier } of kept) {
        if (filled - at > 64 * 1024) continue;
        assert.ok(
          earlier.equals(bytes.subarray(at, at + earlier.length)),
          `${at}, ${filled - at} bytes later`,
        );
      }
    });
    await once(socket, 'end');
    assert.equal(filled, bytes.length);
  });
});

test('unread chunks are not overwritten', async () => {
  const bytes = makeBytes(1024 * 1024);
  await withSocket([bytes], async (socket) => {
    const waiting: Buffer[] = [];
    let filled = 0;
    for (;;) {
      // Each time, the socket has filled up to its high-water mark and stopped.
      while (socket.readableLength < socket.readableHighWaterMark && !socket.readableEnded) {
        if (filled + socket.readableLength === bytes.length) break;
        socket.read(0);
        await nextTurn();
      }
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) break;
      waiting.push(Buffer.from(chunk));
      filled += chunk.length;
      if (filled === bytes.length) break;
    }
    assert.ok(Buffer.concat(waiting).equals(bytes));
  });
});

const canary = await startCanary();
const { port, openPolicy, localPolicy } = canary;
after(() => canary.stop());

test(`${HOSTILE_ADDRESSES.length} hostile addresses do not reach the canary, and all get the same refusal`, async () => {
  assert.ok(HOSTILE_ADDRESSES.length >= 60);
  canary.connections = 0;
  for (const row of HOSTILE_ADDRESSES) {
    const url = row.replaceAll('PORT', String(port));
    const error = await get(url, { policy: openPolicy() }).then(
      () => assert.fail(`${url} was reached`),
      (thrown: unknown) => thrown as SwathError,
    );
    assert.equal(error.code, 'address-not-allowed', url);
    assert.equal(error.tag, 'not-allowed', url);
    assert.equal(error.message, 'This address is not allowed.');
    assert.deepEqual(error.details, {});
    assert.doesNotMatch(String(error.cause), /secret/, 'no credentials in the log either');
  }
  assert.equal(canary.connections, 0);
});

test('the canary answers once its network is allowed, so the test above can fail', async () => {
  canary.connections = 0;
  for (const host of ['127.0.0.1', '127.1', '[::1]', 'loop.example', 'loop6.example', '[::ffff:127.0.0.1]']) {
    const { status } = await get(`http://${host}:${port}/`, { policy: localPolicy() });
    assert.equal(status, 200, host);
  }
  assert.equal(canary.connections, 6);
});

test('a name that resolves to a public address first and to a private one later is refused', async () => {
  canary.connections = 0;
  let asked = 0;
  const rebinding: ResolveName = async () => {
    asked += 1;
    return [{ address: asked === 1 ? '127.0.0.2' : '127.0.0.1', family: 4 }];
  };
  // 127.0.0.2 stands for the public address: it is allowed here, and nothing listens there.
  const fetch = makeGuardedFetch({
    policy: openPolicy({ privateNetworks: ['127.0.0.2/32'] }),
    resolveName: rebinding,
  });
  const url = `http://rebinding.example:${port}/`;
  await assert.rejects(fetch({ url, limitBody: () => 1 }), ({ tag }: SwathError) => tag !== 'not-allowed');
  assert.equal(asked, 1, 'the socket connects to the checked address without another look-up');
  await assert.rejects(fetch({ url, limitBody: () => 1 }), { code: 'address-not-allowed' });
  assert.equal(asked, 2);
  assert.equal(canary.connections, 0);
});

test('by default only https to port 443 is allowed', async () => {
  for (const url of ['http://93.184.215.14/', 'https://93.184.215.14:8443/', 'http://93.184.215.14:443/']) {
    await assert.rejects(get(url, { policy: {} }), { code: 'address-not-allowed' }, url);
  }
});

test('a host list allows exactly its names', async () => {
  const policy = localPolicy({ hosts: ['loop.example', '*.data.example'] });
  assert.equal((await get(`http://loop.example:${port}/`, { policy })).status, 200);
  assert.equal((await get(`http://LOOP.example.:${port}/`, { policy, resolveName: toLoopback })).status, 200);
  assert.equal(
    (await get(`http://a.b.data.example:${port}/`, { policy, resolveName: toLoopback })).status,
    200,
  );
  for (const host of [
    'data.example',
    'xdata.example',
    'a.data.example.evil.example',
    'sub.loop.example',
    'loop6.example',
    '127.0.0.1',
    '.data.example',
  ]) {
    await assert.rejects(
      get(`http://${host}:${port}/`, { policy, resolveName: toLoopback }),
      { code: 'address-not-allowed' },
      host,
    );
  }
});
test('a redirect is an error by default; where redirects are allowed, every hop is checked', async () => {
  const policy = localPolicy({ hosts: ['loop.example', 'other.example'] });
  const from = (to: string) => `http://loop.example:${port}/?to=${encodeURIComponent(to)}`;
  const there = `http://loop.example:${port}/there`;
  await assert.rejects(get(from(there), { policy }), { tag: 'source-broken', code: 'source-redirected' });
  assert.equal((await get(from(there), { policy, maxRedirects: 1 })).status, 200);
  assert.equal((await get(from('/there'), { policy, maxRedirects: 1 })).status, 200);
  const loop = from(from(from(from(there))));
  await assert.rejects(get(loop, { policy, maxRedirects: 99 }), { code: 'source-redirected' });
  for (const to of [
    `http://127.0.0.1:${port}/`,
    'http://169.254.169.254/',
    'file:///etc/passwd',
    `http://user:pass@loop.example:${port}/`,
    'http://loop.example:22/',
  ]) {
    await assert.rejects(get(from(to), { policy, maxRedirects: 3 }), { code: 'address-not-allowed' }, to);
  }
});

test('secrets do not follow a redirect to another origin', async () => {
  const policy = localPolicy({ hosts: ['loop.example', 'other.example'] });
  const fetch = makeGuardedFetch({ policy, maxRedirects: 1, resolveName: toLoopback });
  const headers = { authorization: 'AWS4 x', 'x-amz-security-token': 'token', range: 'bytes=0-1' };
  const ask = async (to: string) => {
    const url = `http://loop.example:${port}/?to=${encodeURIComponent(to)}`;
    const { body } = await fetch({ url, headers, limitBody: () => 10_000 });
    return JSON.parse(Buffer.from(body).toString()) as Record<string, string>;
  };
  const elsewhere = await ask(`http://other.example:${port}/`);
  assert.equal(elsewhere.range, 'bytes=0-1');
  assert.equal(elsewhere.authorization, undefined);
  assert.equal(elsewhere['x-amz-security-token'], undefined);
  assert.equal((await ask('/same-origin')).authorization, 'AWS4 x');
});
