import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTileTokens } from './tile-tokens.ts';

const shown = { layer: 'sentinel2l2a', style: 'ndvi', time: '2026-06' };

test('a signed token is valid only for its key, layer, style and time', () => {
  const tokens = makeTileTokens('secret', () => 0);
  const { token, expiresAt } = tokens.sign('a1', shown, { lastsS: 600, maxAgeS: 3_600 });
  assert.equal(expiresAt, '1970-01-01T00:10:00.000Z');
  assert.deepEqual(tokens.read(token, shown), { state: 'valid', keyId: 'a1', publicMaxAgeS: 600 });
  const others = [{ layer: 'sentinel2' }, { style: 'default' }, { time: '' }, { time: '2026-07' }];
  for (const other of others) assert.equal(tokens.read(token, { ...shown, ...other }).state, 'wrong');
  const [, expires, maxAge, signature] = token.split('.');
  const forged = [
    `b2.${expires}.${maxAge}.${signature}`,
    `a1.9999999999.${maxAge}.${signature}`,
    `a1.${expires}.86400.${signature}`,
    `a1.${expires}.${signature}`,
    `a1.${expires}.${maxAge}.${'A'.repeat(43)}`,
  ];
  for (const wrong of forged) assert.equal(tokens.read(wrong, shown).state, 'wrong', wrong);
  assert.equal(makeTileTokens('other', () => 0).read(token, shown).state, 'wrong');
});

test('tiles of a signed token are cached no longer than it is valid, and tiles of an all-layer token are never cached publicly', () => {
  const clock = { ms: 0 };
  const tokens = makeTileTokens('secret', () => clock.ms);
  const { token } = tokens.sign('a1', shown, { lastsS: 600, maxAgeS: 60 });
  const read = () => tokens.read(token, shown);
  assert.deepEqual(read(), { state: 'valid', keyId: 'a1', publicMaxAgeS: 60 });
  clock.ms = 570_500;
  assert.deepEqual(read(), { state: 'valid', keyId: 'a1', publicMaxAgeS: 29 });
  clock.ms = 600_000;
  assert.deepEqual(read(), { state: 'expired' });
  const all = tokens.make('a1', 1).token;
  assert.deepEqual(tokens.read(all, shown), { state: 'valid', keyId: 'a1', publicMaxAgeS: null });
  assert.equal(tokens.read(all, { ...shown, layer: 'another' }).state, 'valid');
});
