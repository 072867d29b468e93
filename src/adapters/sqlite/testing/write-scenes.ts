/** Puts batches of scenes until it is killed, and says the name of each batch that the store has acknowledged. */
import type { NewScene } from '../../../catalog/index.ts';
import { openSqliteStore } from '../index.ts';

const [directory = '', round = '', pattern = ''] = process.argv.slice(2);
const scene = JSON.parse(pattern) as NewScene;
const { scenes } = openSqliteStore(directory);
for (let i = 0; ; i += 1) {
  const name = `${round}-${i}`;
  await scenes.putMany([1, 2, 3, 4, 5].map((n) => ({ ...scene, viewId: `S2/${name}/${n}`, sceneId: name })));
  process.stdout.write(`${name}\n`);
}
