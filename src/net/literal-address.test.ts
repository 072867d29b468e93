import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayLeadTo } from './literal-address.ts';
import { HOSTILE_ADDRESSES } from './testing/hostile-addresses.ts';

test('numbers and names of the machine itself are refused without a look-up, in every spelling', () => {
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

test('public numbers, names and networks that are allowed may be called', () => {
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
