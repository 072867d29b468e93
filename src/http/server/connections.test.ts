/** A connection with one answer under way, whose client reads as the test says. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { CutReason, Exchange } from './connections.ts';
import { makeConnections, toClientNetwork } from './connections.ts';

function makeAnswering() {
  const clock = { nowMs: 0 };
  const cuts: CutReason[] = [];
  const connections = makeConnections({
    limits: {
      connections: 10,
      perAddress: 10,
      pipelined: 8,
      answerMs: 30_000,
      slowestBytesPerS: 1_000,
      unsentBytes: 1e9,
    },
    nowMs: () => clock.nowMs,
    onCut: (reason) => cuts.push(reason),
  });
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress: '192.0.2.1',
    writableLength: 0,
    bytesWritten: 5_000,
    destroyed: false,
    destroy() {},
  });
  connections.open(socket as unknown as Socket);
  const exchange = { request: { socket, complete: true }, response: new EventEmitter(), start() {} };
  connections.add(exchange as unknown as Exchange);
  return {
    cuts,
    /** The answer grows by some bytes, the client reads some, and some time later connections are looked at. */
    step({ made = 0, read = 0, laterMs = 0 }): void {
      socket.bytesWritten += made;
      socket.writableLength += made - read;
      clock.nowMs += laterMs;
      connections.cutSlowReaders();
    },
  };
}

test('a streamed response may take as long as its size allows', () => {
  const { step, cuts } = makeAnswering();
  step({ made: 64_000 });
  // An hour at a little more than the slowest rate; the buffer is never empty.
  for (let i = 0; i < 1_800; i += 1) step({ made: 2_100, read: 2_100, laterMs: 2_000 });
  assert.deepEqual(cuts, []);
});

test('a streamed response is cut if its client reads below the minimum rate', () => {
  const { step, cuts } = makeAnswering();
  step({ made: 64_000 });
  let seconds = 0;
  for (; cuts.length === 0 && seconds < 3_600; seconds += 2)
    step({ made: 1_000, read: 1_000, laterMs: 2_000 });
  assert.deepEqual(cuts, ['slow-reader']);
  // 30 s and 64 s for what was there at once, and half of the time for what was read since.
  assert.ok(seconds > 2 * 94 - 4 && seconds < 2 * 94 + 8, `${seconds} s`);
});

test('a complete response gets the time for its size, however much of it the client reads', () => {
  const { step, cuts } = makeAnswering();
  step({ made: 64_000 });
  step({ read: 63_999, laterMs: 94_000 });
  assert.deepEqual(cuts, []);
  step({ laterMs: 1 });
  assert.deepEqual(cuts, ['slow-reader']);
});

test('an IPv4 address counts as one client, also when it is written as IPv6', () => {
  assert.equal(toClientNetwork('192.0.2.7'), '192.0.2.7');
  assert.equal(toClientNetwork('::ffff:192.0.2.7'), '192.0.2.7');
});

test('all addresses in an IPv6 /64 network count as one client', () => {
  const network = '2001:db8:0:1::/64';
  for (const address of ['2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:DB8:0000:0001::2']) {
    assert.equal(toClientNetwork(address), network);
  }
  assert.notEqual(toClientNetwork('2001:db8:0:2::1'), network);
  assert.equal(toClientNetwork('::1'), '0:0:0:0::/64');
  assert.equal(toClientNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(toClientNetwork('1::'), '1:0:0:0::/64');
});
