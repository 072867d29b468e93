import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SwathError, sourceBroken } from '../../errors.ts';
import type { ByteSource, OpenSource } from '../../sources/index.ts';
import { makeJp2Decoder } from '../jp2/openjpeg.ts';
import { makeMemorySource } from '../testing/memory-source.ts';
import { makeTinyTiff } from '../tiff/testing/tiny-tiff.ts';
import type { BlockFile } from './block-file.ts';
import { openBlockFile } from './open-block-file.ts';
import type { SidecarSuffix } from './sidecars.ts';
import { findSidecars, sidecarHref, sidecarSuffixes } from './sidecars.ts';

const jp2Decoder = makeJp2Decoder();
const LONG = 4;
const REDUCED = 254;

/** Two by two pixels of one band, without any position. */
const bare = makeTinyTiff([{}]);
/** Its smaller copy, one pixel, as GDAL writes it: marked as reduced. */
const overview = makeTinyTiff([
  { [REDUCED]: [LONG, 1, 1], 256: [LONG, 1, 1], 257: [LONG, 1, 1], 278: [LONG, 1, 1], 279: [LONG, 1, 1] },
]);
const world = '10\n0\n0\n-10\n600005\n5099995\n';
const UTM =
  'PROJCS["WGS 84 / UTM zone 32N",GEOGCS["WGS 84",AUTHORITY["EPSG","4326"]],AUTHORITY["EPSG","32632"]]';
const aux = `<PAMDataset><SRS>${UTM.replaceAll('"', '&quot;')}</SRS>
  <GeoTransform>500000, 20, 0, 4000000, 0, -20</GeoTransform>
  <PAMRasterBand band="1"><NoDataValue>7</NoDataValue></PAMRasterBand></PAMDataset>`;

interface Folder {
  readonly open: OpenSource;
  readonly opened: string[];
  /** Names that were opened and not yet closed. */
  readonly isOpen: Set<string>;
}

function makeFolder(files: Readonly<Record<string, string | Uint8Array>>): Folder {
  const opened: string[] = [];
  const isOpen = new Set<string>();
  const open: OpenSource = async (href) => {
    opened.push(href);
    const content = files[href];
    if (content === undefined) throw sourceBroken('source-gone', 'A file of this scene cannot be opened.');
    isOpen.add(href);
    const source = makeMemorySource(typeof content === 'string' ? Buffer.from(content) : content);
    const close = async (): Promise<void> => void isOpen.delete(href);
    return { ...source, version: `of ${href}`, close } satisfies ByteSource;
  };
  return { open, opened, isOpen };
}

/** Opens `a/b.tif` with these sidecars. */
async function openWith(
  { open }: Folder,
  suffixes: readonly SidecarSuffix[] = sidecarSuffixes,
): Promise<BlockFile> {
  const source = await open('a/b.tif');
  return openBlockFile(source, { jp2Decoder, sidecars: { href: 'a/b.tif', suffixes, open } });
}

test('a sidecar has the name of its image with a fixed suffix', () => {
  assert.equal(sidecarHref('a/b.tif', '.ovr'), 'a/b.tif.ovr');
  assert.equal(sidecarHref('a/b.tif', '.aux.xml'), 'a/b.tif.aux.xml');
  assert.equal(sidecarHref('a.x/b.c.tiff', '.tfw'), 'a.x/b.c.tfw');
  assert.equal(sidecarHref('a.x/b', '.wld'), 'a.x/b.wld');
  assert.equal(sidecarHref('https://h/a/b.tif?sig=x.y#z', '.tfw'), 'https://h/a/b.tfw?sig=x.y#z');
  assert.equal(sidecarHref('https://h/a/b.tif?sig=x.y', '.ovr'), 'https://h/a/b.tif.ovr?sig=x.y');
});

test('a world file georeferences an image that has no transform', async () => {
  for (const name of ['a/b.tfw', 'a/b.tifw', 'a/b.wld']) {
    const folder = makeFolder({ 'a/b.tif': bare, [name]: world });
    const file = await openWith(folder);
    assert.deepEqual(file.transform, [600_000, 10, 0, 5_100_000, 0, -10]);
    assert.deepEqual([...folder.isOpen], ['a/b.tif']);
  }
});

test('an .aux.xml takes precedence over a world file, and states the CRS', async () => {
  const folder = makeFolder({ 'a/b.tif': bare, 'a/b.tif.aux.xml': aux, 'a/b.tfw': world });
  const file = await openWith(folder);
  assert.deepEqual(file.transform, [500_000, 20, 0, 4_000_000, 0, -20]);
  assert.deepEqual([file.epsg, file.proj, file.nodata], [32632, null, 7]);
  assert.ok(!folder.opened.includes('a/b.tfw'));
});

test('a CRS without an EPSG code is returned as a definition; an unknown one is omitted', async () => {
  const wkt =
    'PROJCS["x",GEOGCS["y",DATUM["z",SPHEROID["s",6371007.181,0]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Sinusoidal"],PARAMETER["longitude_of_center",0],UNIT["metre",1]]';
  const auxOf = (text: string) => `<PAMDataset><SRS>${text.replaceAll('"', '&quot;')}</SRS></PAMDataset>`;
  const open = (text: string) =>
    openWith(makeFolder({ 'a/b.tif': bare, 'a/b.tif.aux.xml': auxOf(text), 'a/b.tfw': world }));
  const known = await open(wkt);
  assert.deepEqual([known.epsg, known.proj], [null, wkt]);
  assert.deepEqual(known.transform, [600_000, 10, 0, 5_100_000, 0, -10]);
  const unknown = await open('LOCAL_CS["engineering"]');
  assert.deepEqual([unknown.epsg, unknown.proj], [null, null]);
});

test('overviews in a sidecar are levels of the image, and are closed with it', async () => {
  const folder = makeFolder({ 'a/b.tif': bare, 'a/b.tif.ovr': overview });
  const file = await openWith(folder, ['.ovr']);
  assert.deepEqual(
    file.levels.map(({ width, height }) => [width, height]),
    [
      [2, 2],
      [1, 1],
    ],
  );
  const position = { band: 0, column: 0, row: 0 };
  assert.deepEqual([...(await file.readBlock(0, position)).pixels], [11, 22, 33, 44]);
  assert.deepEqual([...(await file.readBlock(1, position)).pixels], [11]);
  assert.equal(file.source.version, 'of a/b.tif of a/b.tif.ovr');
  assert.deepEqual(folder.opened, ['a/b.tif', 'a/b.tif.ovr']);
  await file.source.close();
  assert.equal(folder.isOpen.size, 0);
});

test('only sidecars that are known to exist are opened, and a deleted one is ignored', async () => {
  const none = makeFolder({ 'a/b.tif': bare, 'a/b.tfw': world });
  assert.equal((await openWith(none, [])).transform, null);
  assert.deepEqual(none.opened, ['a/b.tif']);
  const gone = await openWith(makeFolder({ 'a/b.tif': bare }));
  assert.deepEqual([gone.transform, gone.levels.length], [null, 1]);
});

test('sidecars are found, and one of several world files is used', async () => {
  const folder = makeFolder({
    'a/b.tif': bare,
    'a/b.tif.ovr': overview,
    'a/b.tif.aux.xml': aux,
    'a/b.tifw': world,
    'a/b.wld': world,
  });
  const file = await openWith(folder, []);
  const found = await findSidecars(file, { href: 'a/b.tif', open: folder.open });
  assert.deepEqual(found, [
    { suffix: '.ovr', stamp: 'of a/b.tif.ovr' },
    { suffix: '.aux.xml', stamp: 'of a/b.tif.aux.xml' },
    { suffix: '.tifw', stamp: 'of a/b.tifw' },
  ]);
  assert.deepEqual([...folder.isOpen], ['a/b.tif']);
  const whole = await openWith(
    folder,
    found.map(({ suffix }) => suffix),
  );
  assert.deepEqual(await findSidecars(whole, { href: 'a/b.tif', open: folder.open }), []);
});

test('damaged and failing sidecars are errors, and nothing stays open', async () => {
  const cases: Readonly<Record<string, readonly [name: string, content: string | Uint8Array]>> = {
    'bad-world-file': ['a/b.tfw', 'ten'],
    'bad-aux-xml': ['a/b.tif.aux.xml', 'nothing'],
    'sidecar-too-long': ['a/b.tfw', ' '.repeat(5_000)],
    'not-a-tiff': ['a/b.tif.ovr', 'II but not a TIFF at all'],
  };
  for (const [code, [name, content]] of Object.entries(cases)) {
    const folder = makeFolder({ 'a/b.tif': bare, [name]: content });
    await assert.rejects(openWith(folder), { tag: 'source-broken', code });
    assert.deepEqual([...folder.isOpen], ['a/b.tif']);
  }
  const failing: OpenSource = async (href) => {
    if (href !== 'a/b.tif') throw new SwathError('timed-out', 'slow', 'Too slow.');
    return makeMemorySource(bare);
  };
  await assert.rejects(openWith({ open: failing, opened: [], isOpen: new Set() }), { code: 'slow' });
});
