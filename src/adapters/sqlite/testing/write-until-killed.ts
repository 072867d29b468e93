/** A whole program: writes keys, or batches of scenes, until it is killed, and prints each name that the store acknowledged. */
import type { NewScene } from '../../../catalog/index.ts';
import { openSqliteStore } from '../index.ts';

const [what = '', directory = '', round = '', pattern = ''] = process.argv.slice(2);
const { keys, scenes } = openSqliteStore(directory);
const scene = JSON.parse(pattern) as NewScene;
const times = { createdAt: new Date(0).toISOString(), expiresAt: null, revokedAt: null, parent: null };

for (let i = 0; ; i += 1) {
  const name = `${round}-${i}`;
  if (what === 'keys') {
    await keys.insert({ id: name, label: name, role: 'order', ratePerMinute: null, ...times }, name);
  } else {
    await scenes.putMany(
      [1, 2, 3, 4, 5].map((n) => ({ ...scene, viewId: `S2/${name}/${n}`, sceneId: name })),
    );
  }
  process.stdout.write(`${name}\n`);
  // Lets the pipe drain, so that what was printed has arrived before the kill.
  await new Promise((resolve) => setImmediate(resolve));
}
