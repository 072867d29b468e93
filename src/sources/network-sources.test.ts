import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toSourceAdvice } from './network-sources.ts';

const cases: readonly (readonly [address: string, advice: RegExp])[] = [
  ['https://data.example.org/a/b.tif?x=1', /^add https:\/\/data\.example\.org to SWATH_SOURCES$/],
  ['s3://bucket/key', /^add s3:\/\/bucket to SWATH_SOURCES$/],
  ['/mnt/scenes', /^add \/mnt\/scenes to SWATH_SOURCES$/],
  [
    'https://data.example.org:8443/a',
    /\.json file with "hosts": \["data\.example\.org"\], "ports": \[8443\], /,
  ],
  ['http://data.example.org/a', /"hosts": \["data\.example\.org"\], "allowHttp": true, because/],
  [
    'http://me:secret@127.0.0.1:9000/a',
    /"hosts": \["127\.0\.0\.1"\], "allowHttp": true, "ports": \[9000\], "privateNetworks": \["127\.0\.0\.1\/32"\]/,
  ],
  ['http://[::1]:9000/a', /"hosts": \["\[::1\]"\].*"privateNetworks": \["::1\/128"\]/],
];

test('the advice names a value of SWATH_SOURCES that allows the address', () => {
  for (const [address, advice] of cases) {
    assert.match(toSourceAdvice(address), advice, address);
    assert.doesNotMatch(toSourceAdvice(address), /secret/);
  }
});
