import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceBroken } from '../../errors.ts';
import type { JobReport, JobRunner, JobTicket, JobType } from '../../pool/index.ts';
import { aTicket } from '../../pool/testing/run-here.ts';
import type { WindowRequest } from '../image-files.ts';
import type { NetworkThread } from './network-thread.ts';
import type { Offer } from './offers.ts';
import type { FetchRequest } from './protocol.ts';
import type { DecodeJobs } from './with-fetch.ts';
import { withFetch } from './with-fetch.ts';

type Jobs = { draw: JobType<readonly string[], string>; other: JobType<null, string> };

const toWindow = (href: string): WindowRequest => ({
  band: 'B04',
  href,
  bandIndex: 0,
  nodata: 0,
  record: { name: 'scene', version: '1' },
  read: { level: 0, window: { x: 0, y: 0, width: 1, height: 1 } },
});
const reads = { draw: (hrefs: readonly string[]) => hrefs.map(toWindow) };
const offer = { files: [], broughtBytes: 12 };
const ticket: JobTicket = { ...aTicket, bytes: 1 };

/** A pool and a network thread that the test answers for. */
function makeKit() {
  const asked: FetchRequest[] = [];
  const ran: { kind: string; input: unknown; ticket: JobTicket }[] = [];
  const released: boolean[] = [];
  let fetch: NetworkThread['fetch'] = async (request) => {
    asked.push(request);
    return { offer, release: (isFailed) => void released.push(isFailed) };
  };
  let run = async (_kind: string): Promise<string> => 'drawn';
  const pool: JobRunner<Jobs & DecodeJobs> = {
    async run(kind, input, given) {
      ran.push({ kind, input, ticket: given });
      const output = (await run(kind)) as never;
      given.onJob?.({ kind, queuedMs: 0, ranMs: 0, shared: false, figures: { readBytes: 3 } });
      return { output, queuedMs: 0, ranMs: 0, shared: false };
    },
  };
  const network: Pick<NetworkThread, 'fetch'> = { fetch: (...request) => fetch(...request) };
  return {
    asked,
    ran,
    released,
    pool,
    network,
    answerWith: (next: NetworkThread['fetch']) => {
      fetch = next;
    },
    runWith: (next: (kind: string) => Promise<string>) => {
      run = next;
    },
  };
}

test('a job with remote files runs when their bytes are in memory, and they are released when it ends', async () => {
  const { pool, network, asked, ran, released } = makeKit();
  const runner = withFetch<Jobs>(pool, { network, reads });
  const { output, fetchedMs, figures } = await runner.run(
    'draw',
    ['https://a/1', 'local', 's3://b/2'],
    ticket,
  );
  assert.equal(output, 'drawn');
  assert.deepEqual(figures, { fetchedBytes: 12 });
  assert.ok(fetchedMs !== undefined && fetchedMs >= 0);
  assert.deepEqual(
    asked.map(({ windows, owner, lane }) => [windows.map(({ href }) => href), owner, lane]),
    [[['https://a/1', 's3://b/2'], 'me', 'tile']],
  );
  assert.equal(ran[0]?.ticket.attachment, offer);
  assert.deepEqual(released, [false]);
});

test('the report of a job says how long its fetch took and how much was fetched', async () => {
  const { pool, network } = makeKit();
  const runner = withFetch<Jobs>(pool, { network, reads });
  const reports: JobReport[] = [];
  await runner.run('draw', ['https://a/1'], { ...ticket, onJob: (report) => reports.push(report) });
  assert.deepEqual(
    reports.map(({ kind, figures }) => [kind, figures]),
    [['draw', { readBytes: 3, fetchedBytes: 12 }]],
  );
  assert.ok((reports[0]?.fetchedMs ?? -1) >= 0);
});

test('jobs with local files or without files run without a fetch', async () => {
  const { pool, network, asked, ran } = makeKit();
  const runner = withFetch<Jobs>(pool, { network, reads, countIdle: () => 8 });
  const { fetchedMs } = await runner.run('draw', ['local', 'another'], ticket);
  await runner.run('other', null, ticket);
  assert.deepEqual([asked, fetchedMs], [[], undefined]);
  assert.deepEqual(
    ran.map(({ kind, ticket: given }) => [kind, given]),
    [
      ['draw', ticket],
      ['other', ticket],
    ],
  );
});

test('a failed fetch fails the job, and the job does not run', async () => {
  const { pool, network, ran, answerWith } = makeKit();
  answerWith(() => Promise.reject(sourceBroken('source-failing', 'It fails.')));
  const runner = withFetch<Jobs>(pool, { network, reads });
  await assert.rejects(runner.run('draw', ['https://a/1'], ticket), { code: 'source-failing' });
  assert.deepEqual(ran, []);
});

test('after a job that found its file broken, the file is opened again', async () => {
  const { pool, network, released, runWith } = makeKit();
  const runner = withFetch<Jobs>(pool, { network, reads });
  runWith(() => Promise.reject(sourceBroken('tiff-bad-block', 'It is damaged.')));
  await assert.rejects(runner.run('draw', ['https://a/1'], ticket), { code: 'tiff-bad-block' });
  runWith(() => Promise.reject(new Error('a bug')));
  await assert.rejects(runner.run('draw', ['https://a/1'], ticket), /a bug/);
  assert.deepEqual(released, [true, false]);
});

test('bytes that take longer than the time limit of the job are an error, and so is a caller that disconnects', async () => {
  const { pool, network, ran, answerWith } = makeKit();
  const signals: (AbortSignal | undefined)[] = [];
  answerWith(
    (_request, signal) =>
      new Promise((_, reject) => {
        signals.push(signal);
        signal?.addEventListener('abort', () => reject(new Error('left')), { once: true });
      }),
  );
  const runner = withFetch<Jobs>(pool, { network, reads });
  await assert.rejects(runner.run('draw', ['https://a/1'], { ...ticket, timeoutMs: 1 }), {
    tag: 'timed-out',
    code: 'source-timed-out',
  });
  const leaving = new AbortController();
  const left = assert.rejects(
    runner.run('draw', ['https://a/1'], { ...ticket, signal: leaving.signal }),
    /left/,
  );
  leaving.abort();
  await left;
  assert.deepEqual([signals.map((signal) => signal?.aborted), ran], [[true, true], []]);
});

test('idle threads decode from the last window backwards until the job ends', async () => {
  const { pool, network, ran, answerWith } = makeKit();
  const slice = { length: 1, pages: [0], generations: [1] };
  const ranges = [0, 100].map((offset) => ({ offset, length: 1, slice }));
  const source = { id: 'a', version: '1', size: 200 };
  const files = ['https://a/1', 'https://a/2', 'https://a/3'].map((href) => ({ href, source, ranges }));
  let offered: Offer = { files };
  answerWith(async () => ({ offer: offered, release() {} }));
  let idle = 2;
  const runner = withFetch<Jobs>(pool, { network, reads, countIdle: () => idle });
  await runner.run('draw', ['https://a/1', 'https://a/2', 'https://a/3'], ticket);
  const helps = ran.filter(({ kind }) => kind === 'decode-blocks');
  assert.equal(helps.length, 2);
  for (const { input, ticket: given } of helps) {
    assert.deepEqual(
      (input as WindowRequest[]).map(({ href }) => href),
      ['https://a/3', 'https://a/2', 'https://a/1'],
    );
    assert.equal(given.attachment, offered);
    assert.equal(given.signal?.aborted, true);
  }
  // One block is decoded by the job itself.
  offered = { files: files.slice(0, 1) };
  await runner.run('draw', ['https://a/1'], ticket);
  assert.equal(ran.length, 4);
  idle = 0;
  offered = { files };
  await runner.run('draw', ['https://a/1', 'https://a/2'], ticket);
  assert.equal(ran.length, 5);
});

test('an idle thread decodes complete files while others are still being fetched', async () => {
  const { pool, network, ran, answerWith } = makeKit();
  let idle = 1;
  const source = { id: 'a', version: '1', size: 200 };
  const toPart = (href: string): Offer => ({ files: [{ href, source, ranges: [] }] });
  answerWith(async (_request, _signal, onPart) => {
    onPart?.(toPart('https://a/2'));
    idle = 0;
    onPart?.(toPart('https://a/1'));
    return { offer, release() {} };
  });
  const runner = withFetch<Jobs>(pool, { network, reads, countIdle: () => idle });
  await runner.run('draw', ['https://a/1', 'https://a/2', 'https://a/3'], ticket);
  const helps = ran.filter(({ kind }) => kind === 'decode-blocks');
  assert.deepEqual(
    helps.map(({ input }) => (input as WindowRequest[]).map(({ href }) => href)),
    [['https://a/2']],
  );
  assert.equal(helps[0]?.ticket.signal?.aborted, true, 'and ends with the job');
  // A fetch that fails ends the decoding of its parts.
  idle = 1;
  answerWith(async (_request, _signal, onPart) => {
    onPart?.(toPart('https://a/1'));
    throw sourceBroken('source-failing', 'It fails.');
  });
  await assert.rejects(runner.run('draw', ['https://a/1', 'https://a/2'], ticket));
  assert.equal(ran.at(-1)?.ticket.signal?.aborted, true);
});
