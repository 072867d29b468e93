import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Asset, FiledHit, SceneHit } from '../../catalog/index.ts';
import { listFiles, makeListFiles, parsePlaces } from '../../catalog/index.ts';
import { makeScene } from '../../catalog/testing/make-scene.ts';
import { casesOf } from '../../testing/test-size.ts';
import { parseHits, toFiles, toHitLists, toSharedFiles } from './hit-pages.ts';
import { parseRecord, toSceneRow } from './scenes.ts';

const [, model] = Object.entries(makeScene(3).assets)[0]!;
const words = fc.oneof(
  fc.constantFrom(
    'origin',
    '}},"origin":',
    '"overviews":[',
    ']',
    '"height":5',
    'width',
    'a.tif',
    'b.JP2?c=d.tif',
  ),
  fc.string(),
);
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });
const anyAsset = fc
  .record({
    href: words,
    overviews: fc.array(fc.constant({ width: 5, height: 5 }), { maxLength: 3 }),
    transform: fc.tuple(anyNumber, anyNumber, anyNumber, anyNumber, anyNumber, anyNumber),
    width: fc.nat(),
    height: fc.nat(),
  })
  .map((own) => ({ ...model!, ...own }));
const anyMore = fc.record(
  {
    stamps: fc.array(words),
    lattice: fc.constant({ cols: [0, 1], rows: [0, 1], x: [1, 2, 1, 2], y: [3, 3, 4, 4] }),
    proj: words,
  },
  { requiredKeys: [] },
);
const anyFile = fc.tuple(anyAsset, anyMore).map(([asset, more]) => ({ ...asset, ...more }));
const anyAssets = fc.dictionary(words, anyFile, { noNullPrototype: true });
const anyRest = fc.record(
  {
    calibration: fc.constant({ earthSunDistanceAu: 1, bands: {} }),
    cloudMask: fc.record({ kind: fc.constant('classes' as const), band: words }),
    origin: fc.record({ fingerprint: words, processed: words }),
  },
  { requiredKeys: [] },
);

test('property: a hit has the files of its record, whatever their names and what follows them', () => {
  fc.assert(
    fc.property(anyAssets, anyRest, (assets, more) => {
      const { hit, rest } = toSceneRow({ ...makeScene(3), ...more, assets });
      const { assets: read } = parseRecord({ hit, rest });
      const { layout, places } = toFiles({ rest });
      const parsed = JSON.parse(layout) as Readonly<Record<string, { readonly href: string }>>;
      const listed = Object.entries(read);
      const shared = listed.map(([name, { stamps, lattice, ...file }]) => {
        const [, a, b, , d, e] = file.transform;
        const own = {
          // Another test says which extension this is.
          href: parsed[name]?.href ?? '',
          transform: [0, a, b, 0, d, e],
          width: 0,
          height: 0,
          overviews: [],
          ...(stamps === undefined ? {} : { stamps: [] }),
          ...(lattice === undefined ? {} : { lattice: {} }),
        };
        return [name, { ...file, ...own }] as const;
      });
      assert.deepEqual(parsed, Object.fromEntries(shared));
      const found = listed.length === 0 ? [] : parsePlaces(places);
      assert.deepEqual(
        found.map((place) => place.map(Number)),
        listed.map(([, { transform, width, height }]) => [transform[0], transform[3], width, height]),
      );
    }),
  );
});

test('property: files are listed as their JSON says, whatever was listed before them', () => {
  // Little differs from scene to scene, so that many are alike.
  const anyFew = fc.dictionary(
    fc.constantFrom('B1', 'B2', '10', '9'),
    fc
      .record(
        {
          href: fc.constantFrom('a.tif', 'b.tif?sig=1', 'c.jp2', '"],"overviews":['),
          bandIndex: fc.nat(1),
          nodata: fc.constantFrom(0, null),
          transform: fc
            .tuple(fc.nat(3), fc.constantFrom(10, 20), fc.nat(3))
            .map(([x, size, y]) => [x / 4, size, 0, y, 0, -size] as const),
          width: fc.nat(2),
          height: fc.nat(2),
          overviews: fc.constantFrom([], [{ width: 1, height: 1 }]),
          stamps: fc.constantFrom(['a'], ['b]'], undefined),
          proj: fc.constantFrom('+proj=sinu', undefined),
        },
        { noNullPrototype: true },
      )
      // What is undefined is absent in JSON.
      .map((own) => ({ ...model!, ...own }) as Asset),
    { minKeys: 1, noNullPrototype: true },
  );
  fc.assert(
    fc.property(fc.array(anyFew, { minLength: 2, maxLength: 8 }), (scenes) => {
      const list = makeListFiles();
      const read = new Map<string, string>();
      for (const assets of scenes) {
        // As records have them: sorted, without what is undefined.
        const json = toSceneRow({ ...makeScene(3), assets }).rest.slice('{"assets":'.length, -1);
        const { layout, places } = list('S2', assets, () => json);
        assert.deepEqual({ layout: layout.text, places }, listFiles(json));
        // Equal layouts have one id, and others another one.
        assert.equal(read.get(layout.id) ?? layout.text, layout.text);
        read.set(layout.id, layout.text);
      }
      assert.equal(new Set(read.values()).size, read.size);
    }),
  );
});

test('files that are like those of a scene before need no JSON', () => {
  const list = makeListFiles();
  const fail = (): string => assert.fail('the JSON was read');
  const { layout } = list('L8', makeScene(3).assets, () => JSON.stringify(makeScene(3).assets));
  assert.equal(list('L8', makeScene(4).assets, fail).layout, layout);
});

test('files of one kind share their layout, and an address keeps its extension', () => {
  const at = (href: string, x: number) => ({ B1: { ...model!, href, transform: [x, 10, 0, 5, 0, -10] } });
  const list = (href: string, x = 1) => listFiles(JSON.stringify(at(href, x)));
  assert.equal(
    list('scenes/a/B1.tif').layout,
    list('https://host.example/b.v2/B2.tif?sig=x.jp2#y', 7).layout,
  );
  assert.notEqual(list('a.tif').layout, list('a.jp2').layout);
  const { href } = (JSON.parse(list('https://host.example/a.b/c.JP2?x').layout) as { B1: { href: string } })
    .B1;
  assert.equal(href, '.JP2');
  assert.notEqual(list('a.tif', 1).places, list('a.tif', 2).places);
});

test('a page with files is read as it was sent, and equal files are sent once', async () => {
  const rows = [1, 2, 3].map((i) => toSceneRow(makeScene(i)));
  const files = toSharedFiles(rows.map(toFiles));
  assert.equal(files.layouts.length, 1);
  const { found, hits } = await parseHits({ found: 9, hits: toHitLists(rows.map(({ hit }) => hit)), files });
  assert.equal(found, 9);
  assert.deepEqual(
    hits,
    rows.map((row) => {
      const hit = JSON.parse(row.hit) as SceneHit;
      return { ...hit, files: toFiles(row), footprintJson: JSON.stringify(hit.footprint) };
    }),
  );
});

test('property: the JSON of a footprint is that of its own hit, whatever stands beside it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(words, fc.boolean()), { minLength: 1, maxLength: 4 }),
      async (texts) => {
        const rows = texts.map(([text, isNamed], i) =>
          toSceneRow({
            ...makeScene(i),
            productId: `"footprint":${text}`,
            fields: { title: `}"footprint":{${text}`, ...(isNamed ? { footprint: text } : {}) },
          }),
        );
        const { hits } = await parseHits({
          found: rows.length,
          hits: toHitLists(rows.map(({ hit }) => hit)),
          files: toSharedFiles(rows.map(toFiles)),
        });
        const isAmbiguous = texts.some(([, isNamed]) => isNamed);
        for (const hit of hits as FiledHit[])
          assert.equal(hit.footprintJson, isAmbiguous ? undefined : JSON.stringify(hit.footprint));
      },
    ),
    { numRuns: casesOf(100) },
  );
});
