import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeByteLedger, makeRecentOwners } from './admission.ts';

test('the ledger takes exactly its budget and not a byte more', () => {
  const ledger = makeByteLedger(100);
  assert.ok(ledger.take(60));
  assert.equal(ledger.hasRoom(40), true);
  assert.equal(ledger.hasRoom(41), false);
  assert.equal(ledger.take(41), undefined);
  assert.ok(ledger.take(40));
  assert.equal(ledger.usedBytes(), 100);
});

test('releasing twice gives the bytes back once', () => {
  const ledger = makeByteLedger(100);
  const first = ledger.take(30);
  ledger.take(50);
  first?.();
  first?.();
  assert.equal(ledger.usedBytes(), 50);
});

test('any order of takes and releases stays within the budget and adds up', () => {
  const action = fc.oneof(
    fc.record({ take: fc.integer({ min: 0, max: 400 }) }),
    fc.record({ release: fc.nat({ max: 20 }) }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.array(action, { maxLength: 200 }),
      (budget, actions) => {
        const ledger = makeByteLedger(budget);
        const held: { bytes: number; release: () => void }[] = [];
        for (const action of actions) {
          if ('take' in action) {
            const before = ledger.usedBytes();
            const release = ledger.take(action.take);
            assert.equal(release !== undefined, before + action.take <= budget);
            if (release !== undefined) held.push({ bytes: action.take, release });
          } else {
            for (const { release } of held.splice(action.release, 1)) release();
          }
          assert.ok(ledger.usedBytes() >= 0 && ledger.usedBytes() <= budget);
          assert.equal(
            ledger.usedBytes(),
            held.reduce((sum, { bytes }) => sum + bytes, 0),
          );
        }
        for (const { release } of held) release();
        assert.equal(ledger.usedBytes(), 0);
      },
    ),
  );
});

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
