import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../adapters/sqlite/index.ts';
import type { NewScene } from '../catalog/index.ts';
import { makeScene } from '../catalog/testing/make-scene.ts';
import { makeOpenSource } from '../sources/index.ts';
import { findUnreached, watchReach } from './reach.ts';

/** A scene whose files are at these addresses. */
function sceneAt(day: number, ...hrefs: readonly string[]): NewScene {
  const { assets, ...scene } = makeScene(day);
  const [asset] = Object.values(assets);
  assert.ok(asset !== undefined);
  return { ...scene, assets: Object.fromEntries(hrefs.map((href, i) => [`B0${i + 1}`, { ...asset, href }])) };
}

test('places with unreadable files are found, each once and with a scene', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'swath-reach-'));
  const [dataDir, mounted] = [join(folder, 'data'), join(folder, 'mounted')];
  mkdirSync(dataDir, { mode: 0o700 });
  mkdirSync(mounted);
  mkdirSync(join(dataDir, 'scenes'));
  writeFileSync(join(dataDir, 'scenes', 'B01.tif'), 'a file');
  writeFileSync(join(mounted, 'B01.tif'), 'a file');
  const store = openSqliteStore(dataDir);
  t.after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const scenes = [
    sceneAt(1, 'scenes/B01.tif'),
    sceneAt(2, `${mounted}/B01.tif`),
    sceneAt(27, '/mnt/elsewhere/one/B01.tif'),
    sceneAt(28, '/mnt/elsewhere/one/B02.tif'),
    sceneAt(29, 'https://files.example.org/B01.tif'),
  ];
  await store.scenes.putMany(scenes);
  const open = makeOpenSource({ dataDir, folders: [mounted] });
  const { signal } = new AbortController();
  const deps = { scenes: store.scenes, open, signal };
  const unreached = await findUnreached(deps);
  assert.deepEqual(unreached.map(({ place }) => place).toSorted(), [
    '/mnt/elsewhere/one',
    'https://files.example.org',
  ]);
  for (const { reason } of unreached) assert.match(reason, /\.$/);

  const lines: string[] = [];
  const note = (_: object, text: string): void => void lines.push(text);
  const watch = watchReach({ ...deps, log: { warn: note, info: note, error: assert.fail } });
  assert.equal(watch.count(), null);
  await watch.look();
  assert.deepEqual([lines.length, watch.count()], [2, 2]);
  assert.match(
    lines[0] ?? '',
    /^this node cannot read scenes in .+, such as S2\/31\/T\/DH\/2026\/6\/2\d\/0: .+SWATH_SOURCES/,
  );
  // What is known is not said again; a place that can be read again is.
  await watch.look();
  assert.equal(lines.length, 2);
  await store.scenes.remove(scenes[4]?.viewId ?? '');
  await watch.look();
  assert.deepEqual([lines.length, watch.count()], [3, 1]);
  assert.equal(lines[2], 'this node can read scenes in https://files.example.org again');
});
