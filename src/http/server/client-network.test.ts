import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toClientNetwork } from './connections.ts';

test('an IPv4 address is one client, also when it is written as IPv6', () => {
  assert.equal(toClientNetwork('192.0.2.7'), '192.0.2.7');
  assert.equal(toClientNetwork('::ffff:192.0.2.7'), '192.0.2.7');
});

test('all addresses of an IPv6 network of 64 bits are one client', () => {
  const network = '2001:db8:0:1::/64';
  for (const address of ['2001:db8:0:1::1', '2001:db8:0:1:ffff:ffff:ffff:ffff', '2001:DB8:0000:0001::2']) {
    assert.equal(toClientNetwork(address), network);
  }
  assert.notEqual(toClientNetwork('2001:db8:0:2::1'), network);
  assert.equal(toClientNetwork('::1'), '0:0:0:0::/64');
  assert.equal(toClientNetwork('fe80::1%eth0'), 'fe80:0:0:0::/64');
  assert.equal(toClientNetwork('1::'), '1:0:0:0::/64');
});
