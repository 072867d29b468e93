import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FiledHit, NewScene } from '../../catalog/index.ts';
import { listFiles, toScene } from '../../catalog/index.ts';
import { anyScene } from '../../ingest/stac/testing/any-scene.ts';
import { casesOf } from '../../testing/test-size.ts';
import { makeAddresses } from './addresses.ts';
import type { ItemTools } from './item.ts';
import { makeWriteItem } from './item.ts';
import { makeKnownItems, makeWriteKnownItem } from './known-items.ts';

const publicUrl = 'https://maps.example/base';

/** Tools of a key. */
const toolsOf = (key: string, { url = publicUrl, secret = 'old' } = {}): ItemTools => ({
  publicUrl: url,
  addresses: makeAddresses(url),
  toThumbnail: ({ viewId }) => `${url}/thumbnails/${secret}/${viewId}.png`,
  toFolder: (viewId) => `${url}/stac/files/${key}/${viewId}/`,
  toMap: key === 'guest' ? null : (itemId) => `${url}/ogc/xyz/${key}-map/scene.${itemId}/default`,
  signedFor: key,
});

/** A scene as a page of hits has it. */
function toFiled(scene: NewScene): FiledHit {
  const { assets, ...hit } = toScene(scene);
  return { ...hit, files: listFiles(JSON.stringify(assets)) };
}

test('property: an item from memory is the item that would be written, with the addresses of the key that asks', () => {
  fc.assert(
    fc.property(anyScene, (scene) => {
      const known = makeKnownItems();
      const hit = toFiled(scene);
      const { files: _, ...bare } = hit;
      // Each comes again, after others have asked.
      for (const tools of [
        toolsOf('first'),
        toolsOf('first'),
        toolsOf('first'),
        toolsOf('third'),
        toolsOf('a-longer-one'),
        toolsOf('guest'),
        toolsOf('first', { url: 'https://b.test' }),
        toolsOf('first', { secret: 'new' }),
      ])
        for (const one of [hit, bare, toScene(scene)]) {
          assert.equal(String(makeWriteKnownItem(tools, known)(one)), String(makeWriteItem(tools)(one)));
          assert.equal(
            String(makeWriteKnownItem(tools, known, { withAssets: false })(one)),
            String(makeWriteItem(tools, (part) => part !== 'assets')(one)),
          );
        }
    }),
    { numRuns: casesOf(100) },
  );
});

test('property: the item of a changed scene is written again', () => {
  fc.assert(
    fc.property(anyScene, fc.integer({ min: 0, max: 100 }), (scene, cloudPercent) => {
      const write = makeWriteKnownItem(toolsOf('first'), makeKnownItems());
      write(toFiled(scene));
      for (const changed of [
        { ...scene, cloudPercent },
        { ...scene, indexedAt: '2031-05-06T07:08:09.000Z' },
      ])
        assert.equal(
          String(write(toFiled(changed))),
          String(makeWriteItem(toolsOf('first'))(toFiled(changed))),
        );
    }),
    { numRuns: casesOf(100) },
  );
});

test('hits of live catalogs are not kept', () => {
  fc.assert(
    fc.property(anyScene, (scene) => {
      const known = makeKnownItems();
      makeWriteKnownItem(toolsOf('first'), known)({ ...toFiled(scene), provenance: 'live' });
      makeWriteKnownItem(toolsOf('first'), known)({ ...toFiled(scene), provenance: 'live' });
      assert.equal(known.items.size, 0);
      makeWriteKnownItem(toolsOf('first'), known)(toFiled(scene));
      assert.equal(known.items.size, 0, 'nor is what was asked for once');
      makeWriteKnownItem(toolsOf('first'), known)(toFiled(scene));
      assert.ok(known.items.size > 0);
    }),
    { numRuns: 5 },
  );
});
