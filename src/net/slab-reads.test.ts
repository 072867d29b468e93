import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeSlabReads } from './slab-reads.ts';

/** Bytes that differ at every place a slab could be mixed up. */
const makeBytes = (length: number): Buffer => {
  const bytes = Buffer.alloc(length);
  for (let i = 0; i + 4 <= length; i += 4) bytes.writeUInt32LE(i, i);
  return bytes;
};

/** Sends pieces one after the other, each when the last was taken, and lets a socket with slabs read them. */
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
  // More than a slab may wait. Node's types do not know this option.
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

test('what was read stays for 64 KiB more', async () => {
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

test('chunks that wait for their reader are not overwritten', async () => {
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
