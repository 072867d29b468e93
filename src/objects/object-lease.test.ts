import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { FakeS3 } from '../sources/testing/fake-s3.ts';
import { FAKE_BUCKET, startFakeS3 } from '../sources/testing/fake-s3.ts';
import { LEASE_MS, takeLease } from './object-lease.ts';
import { openObjects } from './open-objects.ts';

let fake: FakeS3;
before(async () => {
  fake = await startFakeS3();
});
after(() => fake.stop());
beforeEach(() => fake.reset());

const key = 'writer.json';
/** A process that wants the lease; its timer is called by the test. */
function makeProcess() {
  const objects = openObjects({ bucketHref: `s3://${FAKE_BUCKET}/x`, network: fake.network });
  const beats: (() => void)[] = [];
  const repeat = (work: () => void): (() => void) => {
    beats.push(work);
    return () => beats.splice(beats.indexOf(work), 1);
  };
  return { beats, take: () => takeLease(objects, { key, repeat }) };
}

test('one process holds the lease until it releases it', async () => {
  const [one, other] = [makeProcess(), makeProcess()];
  const lease = await one.take();
  assert.ok(lease !== null);
  assert.equal(await other.take(), null);
  await lease.confirm();
  await lease.release();
  assert.deepEqual([one.beats.length, fake.objects.size], [0, 0]);
  await (await other.take())?.release();
});

test('only one of several concurrent processes gets the lease', async () => {
  const leases = await Promise.all(Array.from({ length: 8 }, () => makeProcess().take()));
  assert.equal(leases.filter((lease) => lease !== null).length, 1);
});

test('a renewed lease lasts; otherwise another process takes it over, and the first one learns of it', async () => {
  const [one, other] = [makeProcess(), makeProcess()];
  const lease = (await one.take())!;
  fake.aheadMs = LEASE_MS - 1_000;
  one.beats[0]!();
  // Renewals go one after the other, so that this one comes after the beat.
  await lease.confirm();
  fake.aheadMs = LEASE_MS + 10_000;
  assert.equal(await other.take(), null);
  fake.aheadMs = 2 * LEASE_MS + 10_000;
  const taken = (await other.take())!;
  await assert.rejects(lease.confirm(), { code: 'lease-lost' });
  await lease.release();
  // What the first one has given up was not the lease of the other.
  await taken.confirm();
});

test('a lease survives a renewal whose response is lost or that fails once', async () => {
  const lease = (await makeProcess().take())!;
  let faults = 1;
  fake.fault = ({ operation }) => {
    if (operation !== 'put' || faults === 0) return null;
    faults -= 1;
    return { cut: 'after' };
  };
  await lease.confirm();
  await lease.confirm();
  fake.fault = () => ({ status: 403, code: 'AccessDenied' });
  await assert.rejects(lease.confirm(), { code: 'store-refuses' });
  fake.fault = () => null;
  await lease.confirm();
});

test('a store that ignores or does not support conditions is refused', async () => {
  fake.ignoresConditions = true;
  await assert.rejects(makeProcess().take(), { tag: 'unsupported', code: 'no-conditional-writes' });
  assert.equal(fake.objects.size, 0);
  fake.ignoresConditions = false;
  fake.fault = ({ operation }) => (operation === 'put' ? { status: 501, code: 'NotImplemented' } : null);
  await assert.rejects(makeProcess().take(), { tag: 'unsupported', code: 'no-conditional-writes' });
});
