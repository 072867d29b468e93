import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isInNetworks, isPublicAddress, mayLeadTo, parseNetworks } from './address-policy.ts';
import { HOSTILE_ADDRESSES } from './testing/hostile-addresses.ts';

test('addresses of the public internet are public', () => {
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '52.218.0.1',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ]) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test('both ends of every special network are refused', () => {
  for (const address of [
    '0.0.0.0',
    '0.255.255.255',
    '10.0.0.0',
    '10.255.255.255',
    '100.64.0.0',
    '100.127.255.255',
    '127.0.0.0',
    '127.255.255.255',
    '169.254.0.0',
    '169.254.255.255',
    '172.16.0.0',
    '172.31.255.255',
    '192.0.0.0',
    '192.0.0.255',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.0.0',
    '192.168.255.255',
    '198.18.0.0',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.0',
    '239.255.255.255',
    '240.0.0.0',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:1ff::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '4000::',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fec0::1',
    'ff02::1',
  ]) {
    assert.equal(isPublicAddress(address), false, address);
  }
});

test('a string that is not an address is not public', () => {
  for (const text of [
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    ' 8.8.8.8',
    '8.8.8.8/8',
  ]) {
    assert.equal(isPublicAddress(text), false, text);
  }
});

test('a mapped IPv4 address is never public, whatever it maps', () => {
  fc.assert(fc.property(fc.ipV4(), (address) => !isPublicAddress(`::ffff:${address}`)));
});

test('private networks are read as CIDR, mapped addresses included', () => {
  const networks = parseNetworks(['10.1.0.0/16', '127.0.0.1', 'fd00::/8']);
  for (const address of ['10.1.255.255', '127.0.0.1', '::ffff:10.1.0.1', 'fd12::1']) {
    assert.equal(isInNetworks(address, networks), true, address);
  }
  for (const address of ['10.2.0.0', '127.0.0.2', 'fe80::1', 'fd12::1%eth0', 'localhost', '']) {
    assert.equal(isInNetworks(address, networks), false, address);
  }
});

test('an invalid network is refused, and the error names it', () => {
  for (const text of [
    '',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10/8',
    'fe80::1%1/64',
    'x',
  ]) {
    assert.throws(() => parseNetworks([text]), { tag: 'bad-input', code: 'bad-network' }, text);
  }
});

test('IP addresses and names of the machine itself are refused without a look-up, in every spelling', () => {
  const named = /\.example|93\.184\.215\.14/;
  let refused = 0;
  for (const row of HOSTILE_ADDRESSES) {
    const url = URL.parse(row.replaceAll('PORT', '8080'));
    if (url === null || !/^https?:$/.test(url.protocol) || named.test(row)) continue;
    assert.equal(mayLeadTo(url, {}), false, row);
    refused += 1;
  }
  assert.ok(refused > 50, `${refused} rows`);
  for (const host of ['a.localhost', 'LOCALHOST.', 'localhost.localdomain', 'localhost6', 'ip6-loopback'])
    assert.equal(mayLeadTo(new URL(`http://${host}/`), {}), false, host);
});

test('public IP addresses, names and allowed networks may be called', () => {
  for (const host of [
    '93.184.215.14',
    '[2606:4700::1111]',
    'loop.example',
    'notlocalhost',
    'localhost.example',
  ])
    assert.equal(mayLeadTo(new URL(`https://${host}/`), {}), true, host);
  const policy = { privateNetworks: ['127.0.0.0/8', 'fd00::/8'] };
  for (const host of ['127.0.0.1', 'localhost', '[fd00::1]', '[::ffff:127.0.0.1]'])
    assert.equal(mayLeadTo(new URL(`http://${host}/`), policy), true, host);
  for (const host of ['10.0.0.1', '[::1]', '[fe80::1]'])
    assert.equal(mayLeadTo(new URL(`http://${host}/`), policy), false, host);
});
