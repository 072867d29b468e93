import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRecentOwners } from './recent-owners.ts';

test('another owner counts as recent for the given time, however often the first one asks in between', () => {
  const owners = makeRecentOwners(1_000);
  assert.equal(owners.hasOthers('a', 0), false);
  for (let ms = 0; ms < 500; ms += 10) owners.note('a', ms);
  assert.equal(owners.hasOthers('a', 500), false);
  assert.equal(owners.hasOthers('b', 500), true);
  owners.note('b', 500);
  for (let ms = 510; ms < 1_600; ms += 10) {
    owners.note('a', ms);
    assert.equal(owners.hasOthers('a', ms), ms < 1_500, `${ms}`);
  }
  assert.equal(owners.hasOthers('b', 1_600), true);
});
