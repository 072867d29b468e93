import assert from 'node:assert/strict';
import { rm, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { cancelled, sourceBroken, tooLarge } from '../../errors.ts';
import { makeDemFile } from '../testing/fake-dem-store.ts';
import type { DemReport } from './dem-run.ts';
import { ingestDem } from './ingest-dem.ts';
import { onlyFile, withDemFolder } from './testing/make-dem-folder.ts';

const outcomes = ({ files }: DemReport) =>
  files.map(({ file, outcome, change }) => [file, change ?? outcome]);
const now = () => new Date('2026-03-01T12:00:00Z');

test('images below a folder become files of a model', () =>
  withDemFolder(async ({ store, writeDem, write, options }) => {
    await writeDem('n00/n00_e000.tif');
    await writeDem('n00_e001.TIFF', { west: 1, nodata: -1 });
    await write('readme.md', 'heights');
    await write('n00/._n00_e000.tif', 'resource fork');
    const report = await ingestDem(options({ order: 3, attribution: 'Me', now }));
    assert.deepEqual(outcomes(report), [
      ['n00/n00_e000.tif', 'added'],
      ['n00_e001.TIFF', 'added'],
    ]);
    assert.deepEqual([report.dem, report.notes, report.stopped], ['alps', [], false]);
    assert.deepEqual(
      [...store.dems.values()],
      [
        {
          name: 'alps',
          order: 3,
          gaps: 'unknown',
          attribution: 'Me',
          overviews: [],
          ingestedAt: '2026-03-01T12:00:00.000Z',
        },
      ],
    );
    const files = [...store.files.values()].sort((a, b) => (a.href < b.href ? -1 : 1));
    assert.deepEqual(
      files.map(({ href, bounds }) => [href.split('/').at(-1), bounds.west]),
      [
        ['n00_e000.tif', 0],
        ['n00_e001.TIFF', 1],
      ],
    );
  }));

test('a second run writes nothing and reads no header; a changed file and a new sidecar are read again', () =>
  withDemFolder(async ({ root, store, writeDem, options, takeOpened }) => {
    await writeDem('a.tif');
    await writeDem('b.tif', { west: 1 });
    await ingestDem(options({ now }));
    store.takeWrites();
    takeOpened();
    const reads: string[] = [];
    const plain = options();
    const second = await ingestDem({
      ...plain,
      open: async (href, signal) => {
        const source = await plain.open(href, signal);
        const read: typeof source.read = (...range) => {
          reads.push(href);
          return source.read(...range);
        };
        return { ...source, read };
      },
    });
    assert.deepEqual(outcomes(second), [
      ['a.tif', 'unchanged'],
      ['b.tif', 'unchanged'],
    ]);
    assert.deepEqual([store.takeWrites(), reads, takeOpened().length], [[], [], 2]);
    assert.equal(store.dems.get('alps')?.ingestedAt, now().toISOString());

    await writeDem('a.tif', { type: 'float32' });
    await writeDem('b.tif.ovr', { width: 8, height: 8 });
    const third = await ingestDem(options());
    assert.deepEqual(outcomes(third), [
      ['a.tif', 'replaced'],
      ['b.tif', 'replaced'],
    ]);
    assert.deepEqual(store.takeWrites(), ['putFiles 2', 'putDem']);
    assert.deepEqual([...store.files.values()].map(({ levels }) => levels.length).sort(), [0, 1]);

    // Statistics that another program wrote: the header is read again, and says the same.
    await utimes(join(root, 'a.tif'), 1, 1);
    await ingestDem(options());
    await writeDem('a.tif.aux.xml');
    assert.deepEqual(outcomes(await ingestDem(options())), [
      ['a.tif', 'unchanged'],
      ['b.tif', 'unchanged'],
    ]);
  }));

test('a broken file is reported with its reason, and the others are ingested', () =>
  withDemFolder(async ({ store, write, writeDem, options }) => {
    await writeDem('good.tif');
    await write('bad.tif', 'not an image');
    await writeDem('nowhere.tif', { epsg: null });
    const report = await ingestDem(options());
    assert.deepEqual(
      report.files.map(({ file, outcome, code }) => [file, outcome, code]),
      [
        ['bad.tif', 'broken', 'not-a-tiff'],
        ['good.tif', 'ingested', undefined],
        ['nowhere.tif', 'broken', 'no-georeference'],
      ],
    );
    assert.deepEqual([report.totals.broken, report.totals.ingested, store.files.size], [2, 1, 1]);
    assert.match(report.files[2]?.reason ?? '', /no georeference/);
  }));

test('with only broken files there is no model, and with no file at all there is an error', () =>
  withDemFolder(async ({ root, store, write, options }) => {
    await assert.rejects(ingestDem(options()), { code: 'no-dem' });
    await assert.rejects(ingestDem(options({ from: join(root, 'none') })), { code: 'no-such-file' });
    await write('bad.tif', 'not an image');
    const report = await ingestDem(options());
    assert.deepEqual([report.totals.broken, store.dems.size], [1, 0]);
  }));

test('an unexpected error is logged, and its file counts as broken', () =>
  withDemFolder(async ({ writeDem, options }) => {
    await writeDem('a.tif');
    const bugs: unknown[] = [];
    const open = async () => {
      throw new TypeError('a bug');
    };
    const report = await ingestDem(
      options({ open, onBug: (error, file) => bugs.push([String(error), file]) }),
    );
    assert.deepEqual(bugs, [['TypeError: a bug', 'a.tif']]);
    assert.deepEqual([report.files[0]?.outcome, report.files[0]?.code], ['broken', 'internal']);
  }));

test('missing files stay until they are pruned; files of other sources always stay', () =>
  withDemFolder(async ({ root, store, writeDem, options }) => {
    await writeDem('one/a.tif');
    await writeDem('one/b.tif');
    await writeDem('two/c.tif');
    await ingestDem(options({ from: join(root, 'one') }));
    await ingestDem(options({ from: join(root, 'two') }));
    await rm(join(root, 'one/b.tif'));
    const reported = await ingestDem(options({ from: join(root, 'one') }));
    assert.deepEqual(outcomes(reported), [
      [join(root, 'one/b.tif'), 'gone'],
      ['a.tif', 'unchanged'],
    ]);
    assert.match(reported.notes[0] ?? '', /1 file .*--prune/);
    assert.equal(store.files.size, 3);
    const pruned = await ingestDem(options({ from: join(root, 'one'), prune: true, now }));
    assert.deepEqual([pruned.totals.pruned, pruned.totals.gone, pruned.notes], [1, 0, []]);
    assert.equal(store.files.size, 2);
    assert.equal(store.dems.get('alps')?.ingestedAt, now().toISOString());
  }));

test('a stop takes effect after the current files, and the next run continues', () =>
  withDemFolder(async ({ store, writeDem, options }) => {
    for (let i = 0; i < 70; i++) await writeDem(`${100 + i}.tif`);
    const stopping = new AbortController();
    const plain = options();
    let opened = 0;
    const open: typeof plain.open = async (href, signal) => {
      if (++opened === 20) stopping.abort();
      if (signal?.aborted) throw cancelled('cancelled', 'The read was cancelled.');
      return plain.open(href, signal);
    };
    const progress: number[] = [];
    const report = await ingestDem({
      ...plain,
      open,
      prune: true,
      signal: stopping.signal,
      onProgress: ({ done, total }) => progress.push(done / total),
      makeOverviews: async () => assert.fail('no overviews of half a model'),
    });
    assert.equal(report.stopped, true);
    assert.ok(store.files.size > 0 && store.files.size < 70, `${store.files.size} files`);
    assert.equal(report.totals.ingested, store.files.size);
    assert.equal(report.totals.broken, 0);
    assert.equal(progress.length, 1);
    const rest = await ingestDem(plain);
    assert.deepEqual([rest.stopped, store.files.size], [false, 70]);
    assert.deepEqual(rest.totals.unchanged, report.totals.ingested);
    const atOnce = await ingestDem(options({ signal: AbortSignal.abort() }));
    assert.deepEqual([atOnce.stopped, atOnce.dem], [true, null]);
  }));

test('files are stored in batches', () =>
  withDemFolder(async ({ store, writeDem, options }) => {
    for (let i = 0; i < 70; i++) await writeDem(`${100 + i}.tif`);
    await ingestDem(options());
    assert.deepEqual(store.takeWrites(), ['putDem', 'putFiles 64', 'putFiles 6', 'putDem']);
  }));

test('options that change the heights make new records; those that change the model do not', () =>
  withDemFolder(async ({ store, writeDem, options }) => {
    await writeDem('a.tif');
    await ingestDem(options());
    store.takeWrites();
    const feet = await ingestDem(options({ unit: 'ft' }));
    assert.deepEqual([outcomes(feet), onlyFile(store).scale], [[['a.tif', 'replaced']], 0.3048]);
    assert.deepEqual(outcomes(await ingestDem(options({ unit: 'ft' }))), [['a.tif', 'unchanged']]);
    store.takeWrites();
    const ordered = await ingestDem(options({ order: -2, gaps: 'sea', attribution: 'Me' }));
    assert.deepEqual([outcomes(ordered), store.takeWrites()], [[['a.tif', 'unchanged']], ['putDem']]);
    await ingestDem(options());
    assert.deepEqual(store.takeWrites(), [], 'what is not said stays');
    const { order, gaps, attribution } = store.dems.get('alps')!;
    assert.deepEqual([order, gaps, attribution], [-2, 'sea', 'Me']);
    assert.equal(onlyFile(store).scale, 0.3048);
  }));

test('overview mosaics are made after the files, and stored with the model', () =>
  withDemFolder(async ({ store, writeDem, options }) => {
    await writeDem('a.tif');
    const fractions: number[] = [];
    const made: string[] = [];
    const withOverviews = (pixelDeg: number) =>
      options({
        onOverviewProgress: (fraction) => fractions.push(fraction),
        makeOverviews: async (dem, _signal, onProgress) => {
          assert.ok(store.files.size > 0);
          made.push(dem.name);
          onProgress(0.5);
          return { overviews: [{ pixelDeg }], damaged: [] };
        },
      });
    await ingestDem(withOverviews(0.1));
    assert.deepEqual(
      [made, fractions, store.dems.get('alps')?.overviews],
      [['alps'], [0.5], [{ pixelDeg: 0.1 }]],
    );
    store.takeWrites();
    await ingestDem(withOverviews(0.1));
    assert.deepEqual([made.length, store.takeWrites()], [2, []]);
    await ingestDem(options());
    assert.deepEqual(store.dems.get('alps')?.overviews, [{ pixelDeg: 0.1 }]);
    const stopped = await ingestDem(
      options({
        makeOverviews: async () => {
          throw cancelled('cancelled', 'Stopped.');
        },
      }),
    );
    assert.equal(stopped.stopped, true);
    const { failure } = await ingestDem(
      options({ makeOverviews: () => Promise.reject(tooLarge('no-space', 'The disk is full.')) }),
    );
    assert.deepEqual(failure, { code: 'no-space', reason: 'The disk is full.' });
    const failing = options({ makeOverviews: async () => Promise.reject(new Error('a bug')) });
    await assert.rejects(ingestDem(failing), { message: 'a bug' });
  }));

const damage = () => sourceBroken('tiff-block-damaged', 'A block of the image is damaged.');

test('a file with a damaged block is reported and not ingested; once repaired, the next run ingests it', () =>
  withDemFolder(async ({ store, writeDem, options }) => {
    await writeDem('a.tif');
    await writeDem('b.tif', { west: 1 });
    const check = (isBad: boolean) =>
      options({
        checkFile: async ({ href }) => {
          if (isBad && href.endsWith('b.tif')) throw damage();
        },
      });
    const report = await ingestDem(check(true));
    assert.deepEqual(
      report.files.map(({ file, outcome, code }) => [file, outcome, code]),
      [
        ['a.tif', 'ingested', undefined],
        ['b.tif', 'broken', 'tiff-block-damaged'],
      ],
    );
    assert.equal(store.files.size, 1);
    assert.equal((await ingestDem(check(true))).totals.broken, 1, 'it is reported again');
    assert.deepEqual(outcomes(await ingestDem(check(false))), [
      ['a.tif', 'unchanged'],
      ['b.tif', 'added'],
    ]);
    // It is replaced by a damaged one: the catalog must not go on with the record of the file that was there.
    await writeDem('b.tif', { west: 1, type: 'float32' });
    assert.equal((await ingestDem(check(true))).totals.broken, 1);
    assert.equal(onlyFile(store).bounds.west, 0);
  }));

test('an unreachable server removes no file from the catalog', () =>
  withDemFolder(async ({ store, writeDem, options }) => {
    await writeDem('a.tif');
    await ingestDem(options());
    await writeDem('a.tif', { type: 'float32' });
    const checkFile = () => Promise.reject(sourceBroken('source-unreachable', 'It cannot be reached.'));
    assert.equal((await ingestDem(options({ checkFile }))).totals.broken, 1);
    assert.equal(store.files.size, 1);
  }));

test('damage found while making mosaics is reported; they are made from the other files', () =>
  withDemFolder(async ({ store, writeDem, options }) => {
    await writeDem('a.tif');
    await writeDem('b.tif', { west: 1 });
    const rounds: number[] = [];
    const report = await ingestDem(
      options({
        gaps: 'sea',
        makeOverviews: async () => {
          rounds.push(store.files.size);
          const bad = [...store.files.values()].filter(({ href }) => href.endsWith('b.tif'));
          const { code, message } = damage();
          const damaged = bad.map((file) => ({ file, code, message }));
          return { overviews: bad.length > 0 ? null : [{ pixelDeg: 0.1 }], damaged };
        },
      }),
    );
    assert.deepEqual(rounds, [2, 1]);
    assert.deepEqual(
      report.files.map(({ file, outcome, reason }) => [file, outcome, reason]),
      [
        ['a.tif', 'ingested', undefined],
        ['b.tif', 'broken', 'A block of the image is damaged.'],
      ],
    );
    assert.deepEqual(report.notes, ['1 file could not be read: where it lies, the model now has sea.']);
    assert.deepEqual(store.dems.get('alps')?.overviews, [{ pixelDeg: 0.1 }]);
  }));

test('pruning leaves the files of overview mosaics', () =>
  withDemFolder(async ({ store, writeDem, options }) => {
    await writeDem('a.tif');
    await ingestDem(options());
    await store.putFiles([makeDemFile('alps', 7, 46, { overview: 1, href: options().from })]);
    const report = await ingestDem(options({ prune: true }));
    assert.deepEqual([report.totals.pruned, store.files.size], [0, 2]);
  }));

test('links are not followed, and a file outside the allowed folders is refused', () =>
  withDemFolder(async ({ root, writeDem, options }) => {
    await writeDem('in/a.tif');
    await symlink(join(root, 'in/a.tif'), join(root, 'in/link.tif'));
    const { files } = await ingestDem(options({ from: join(root, 'in') }));
    assert.deepEqual(
      files.map(({ file, outcome, code }) => [file, outcome, code]),
      [
        ['a.tif', 'ingested', undefined],
        ['link.tif', 'skipped', 'link-not-followed'],
      ],
    );
    // The settings have changed since: nothing is gone that is only out of reach.
    const toHref = (path: string) => options().toHref(`/elsewhere${path}`);
    const outside = await ingestDem(options({ from: join(root, 'in'), toHref, prune: true }));
    assert.deepEqual(
      outside.files.map(({ outcome, code }) => [outcome, code]),
      [
        ['gone', undefined],
        ['broken', 'folder-not-allowed'],
        ['skipped', 'link-not-followed'],
      ],
    );
    assert.match(outside.notes.join(), /nothing was taken out/);
  }));

test('a single file is a model too; the default name is that of the file or folder', () =>
  withDemFolder(async ({ root, store, writeDem, options }) => {
    await writeDem('My Heights/N46 E007.tif');
    const single = await ingestDem(options({ from: join(root, 'My Heights/N46 E007.tif'), name: null }));
    assert.equal(single.dem, 'n46-e007');
    const folder = await ingestDem(options({ from: join(root, 'My Heights'), name: null }));
    assert.equal(folder.dem, 'my-heights');
    assert.deepEqual([...store.dems.keys()], ['n46-e007', 'my-heights']);
    assert.equal(store.files.size, 2, 'one of each model');
    await assert.rejects(ingestDem(options({ name: 'No Name' })), { code: 'usage' });
  }));
