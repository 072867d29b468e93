import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import type { FakeCall, FakeS3 } from '../sources/testing/fake-s3.ts';
import { FAKE_BUCKET, startFakeS3 } from '../sources/testing/fake-s3.ts';
import { waitFor } from '../testing/wait-for.ts';
import { readSeries } from './read-series.ts';
import { at, cubesContract, first, plan, toFields, valueAt } from './testing/cubes-contract.ts';
import { openTestCubes } from './testing/open-test-cubes.ts';

const scratch = mkdtempSync(join(tmpdir(), 'swath-bucket-cubes-'));
let fake: FakeS3;
before(async () => {
  fake = await startFakeS3();
});
after(() => {
  fake.stop();
  rmSync(scratch, { recursive: true, force: true });
});
beforeEach(() => fake.reset());

const ROOT = 'swath/soil/';
const MANIFEST_KEY = `${ROOT}a/cube.json`;
const toWhere = (network = fake.network) => ({
  directory: mkdtempSync(join(scratch, 'data-')),
  bucket: { href: `s3://${FAKE_BUCKET}/swath`, network },
});
const toObject = (bytes: Buffer, ageMs = 0) => ({
  bytes,
  etag: createHash('md5').update(bytes).digest('hex'),
  contentType: '',
  modifiedAtMs: Date.now() - ageMs,
});

cubesContract('cubes in a bucket', () => {
  const where = toWhere();
  return {
    where,
    open: (options) => openTestCubes(where, options),
    listFiles: () => [...fake.objects.keys()].map((key) => key.slice(ROOT.length)).sort(),
    readFile: (path) => fake.objects.get(`${ROOT}${path}`)!.bytes,
    writeFile: (path, bytes) => void fake.objects.set(`${ROOT}${path}`, toObject(bytes)),
  };
});

const request = { variable: 'surface', where: at(5), firstStep: first, lastStep: first };
const isManifest = ({ key, operation }: FakeCall): boolean => key === MANIFEST_KEY && operation === 'get';
const looks = (): number => fake.calls.filter(isManifest).length;
const HOUR_MS = 3_600_000;

test('a manifest is polled every five seconds; concurrent readers share one request', async () => {
  const where = toWhere();
  await (await openTestCubes(where).openWriter('a', plan)).write([toFields([first])], new Map());
  let nowMs = 0;
  const cubes = openTestCubes(where, { nowMs: () => nowMs });
  fake.calls.length = 0;
  await Promise.all([1, 2, 3].map(() => readSeries(cubes, 'a', request)));
  assert.equal(looks(), 1);
  nowMs = 4_999;
  await readSeries(cubes, 'a', request);
  assert.deepEqual(
    (await cubes.list()).map(({ name }) => name),
    ['a'],
  );
  await cubes.list();
  assert.equal(looks(), 1);
  assert.equal(fake.calls.filter(({ operation }) => operation === 'list').length, 1);
  // Another process corrects the day, which is seen at the next look.
  const other = await openTestCubes(where).openWriter('a', plan);
  await other.write([toFields([first], (step, cell) => valueAt(step, cell) + 1)], new Map());
  fake.calls.length = 0;
  assert.equal((await readSeries(cubes, 'a', request)).means[0], valueAt(first, 5));
  assert.equal(fake.calls.length, 0);
  nowMs = 5_000;
  assert.equal((await readSeries(cubes, 'a', request)).means[0], Math.fround(valueAt(first, 5) + 1));
  assert.equal(looks(), 1);
});

test('a writer sees its own writes and removals at once', async () => {
  const cubes = openTestCubes(toWhere());
  assert.deepEqual(await cubes.list(), []);
  assert.equal(await cubes.find('a'), null);
  await (await cubes.openWriter('a', plan)).write([toFields([first])], new Map([['f', '1']]));
  assert.equal((await cubes.list()).length, 1);
  assert.deepEqual([...(await cubes.readSources('a'))], [['f', '1']]);
  await cubes.remove('a');
  assert.deepEqual(await cubes.list(), []);
});

test('large files are sent in parts, and nothing stays on the disk', async () => {
  const where = toWhere();
  const writer = await openTestCubes(where).openWriter('a', plan);
  const noise = (step: number, cell: number): number => Math.sin(step * 7919 + cell * 104_729) * 1e4;
  const steps = Array.from({ length: 300 }, (_, i) => first + i);
  await writer.write([toFields(steps, noise)], new Map());
  assert.ok(fake.calls.filter(({ operation }) => operation === 'put-part').length > 3);
  assert.equal(fake.uploads.size, 0);
  assert.deepEqual(readdirSync(where.directory), []);
  const { means } = await readSeries(openTestCubes(where), 'a', { ...request, lastStep: first + 299 });
  assert.deepEqual(
    [...means],
    steps.map((step) => Math.fround(noise(step, 5))),
  );
});

test('the next writer removes leftovers of killed writers once they are an hour old', async () => {
  const where = toWhere();
  await (await openTestCubes(where).openWriter('a', plan)).write([toFields([first])], new Map());
  const named = [...fake.objects.keys()];
  const [old, young] = ['0', '1'].map((digit) => `${ROOT}a/chunks/${digit.repeat(32)}`) as [string, string];
  fake.objects.set(old, toObject(Buffer.from('x'), HOUR_MS + 60_000));
  fake.objects.set(young, toObject(Buffer.from('x'), HOUR_MS / 2));
  for (const key of named) fake.objects.set(key, { ...fake.objects.get(key)!, modifiedAtMs: 0 });
  const upload = { key: old, contentType: '', parts: new Map() };
  fake.uploads.set('dead', { ...upload, startedAtMs: Date.now() - 2 * HOUR_MS });
  fake.uploads.set('live', { ...upload, startedAtMs: Date.now() });
  await openTestCubes(where).openWriter('a', plan);
  assert.deepEqual([...fake.objects.keys()].sort(), [...named, young].sort());
  assert.deepEqual([...fake.uploads.keys()], ['live']);
});

test('the second of two concurrent writers is refused, and the data of the first is read', async () => {
  const where = toWhere();
  const [one, other] = [
    await openTestCubes(where).openWriter('a', plan),
    await openTestCubes(where).openWriter('a', plan),
  ];
  await one.write([toFields([first])], new Map());
  // There was no manifest when it began, and later there was another one.
  await assert.rejects(other.write([toFields([first + 1])], new Map()), { code: 'cubes-busy' });
  const third = await openTestCubes(where).openWriter('a', plan);
  await one.write([toFields([first + 2])], new Map());
  await assert.rejects(third.write([toFields([first + 1])], new Map()), { code: 'cubes-busy' });
  const cube = await openTestCubes(where).find('a');
  assert.deepEqual([cube?.firstStep, cube?.lastStep], [first, first + 2]);
});

test('a writer that may no longer write replaces and removes nothing', async () => {
  const where = toWhere();
  await (await openTestCubes(where).openWriter('a', plan)).write([toFields([first])], new Map());
  const keys = [...fake.objects.keys()];
  let isLost = false;
  const confirm = async (): Promise<void> => {
    if (isLost) throw new Error('lost');
  };
  const cubes = openTestCubes(where, { confirm });
  const writer = await cubes.openWriter('a', plan);
  const { etag } = fake.objects.get(MANIFEST_KEY)!;
  isLost = true;
  await assert.rejects(writer.write([toFields([first + 1])], new Map()), /lost/);
  await assert.rejects(cubes.remove('a'), /lost/);
  assert.equal(fake.objects.get(MANIFEST_KEY)!.etag, etag);
  assert.deepEqual(
    keys.filter((key) => !fake.objects.has(key)),
    [],
  );
});

test('a write succeeds even if its response is lost', async () => {
  const where = toWhere();
  const writer = await openTestCubes(where).openWriter('a', plan);
  await writer.write([toFields([first])], new Map());
  let cuts = 1;
  fake.fault = ({ key, operation }) => {
    if (key !== MANIFEST_KEY || operation !== 'put' || cuts === 0) return null;
    cuts -= 1;
    return { cut: 'after' };
  };
  await writer.write([toFields([first + 1])], new Map());
  await writer.write([toFields([first + 2])], new Map());
  assert.equal((await openTestCubes(where).find('a'))?.lastStep, first + 2);
});

test('a bucket that fails, hangs or refuses is reported as unavailable, and keeps its previous state', async () => {
  // Only a bucket that hangs makes a caller wait this long: a busy machine may take longer for a real answer.
  const hasty = { ...fake.network, timeouts: { headersMs: 200, totalMs: 800 } };
  const writer = await openTestCubes(toWhere()).openWriter('a', plan);
  await writer.write([toFields([first])], new Map());
  const unavailable = { tag: 'unavailable', code: 'cubes-unavailable' };
  for (const fault of [{ status: 503 }, { hangs: true }, { status: 403, code: 'AccessDenied' }] as const) {
    const where = toWhere('hangs' in fault ? hasty : fake.network);
    fake.fault = () => fault;
    await assert.rejects(openTestCubes(where).list(), unavailable, JSON.stringify(fault));
    await assert.rejects(readSeries(openTestCubes(where), 'a', request), unavailable);
    await assert.rejects(openTestCubes(where).openWriter('a', plan), unavailable);
    await assert.rejects(openTestCubes(where).remove('a'), unavailable);
    // The manifest is known, and its chunks are not.
    fake.fault = () => null;
    const cubes = openTestCubes(where);
    await waitFor(() =>
      cubes.find('a').then(
        () => true,
        () => false,
      ),
    );
    fake.fault = ({ key }) => (key.includes('/chunks/') ? fault : null);
    const broken = 'status' in fault && fault.status === 403 ? { code: 'cube-chunk-gone' } : unavailable;
    await assert.rejects(readSeries(cubes, 'a', request), broken);
    fake.fault = () => null;
  }
  fake.fault = ({ key }) => (key === MANIFEST_KEY ? { status: 507, code: 'XMinioStorageFull' } : null);
  await assert.rejects(writer.write([toFields([first + 1])], new Map()), { code: 'no-space' });
  fake.fault = () => null;
  assert.equal((await openTestCubes(toWhere()).find('a'))?.lastStep, first);
});

test('invalid cube names are not listed', async () => {
  fake.objects.set(`${ROOT}Not a cube/cube.json`, toObject(Buffer.from('{}')));
  fake.objects.set(`${ROOT}empty/chunks/x`, toObject(Buffer.from('x')));
  assert.deepEqual(await openTestCubes(toWhere()).list(), []);
});
