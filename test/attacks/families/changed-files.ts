import { copyFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEMO_SCENE } from '../../support/demo-data.ts';
import type { AttackContext, Family, Sight } from '../attack.ts';
import { judge } from '../attack.ts';
import { ask, isPicture } from '../polite.ts';

const BAND_TILE = `/api/render/${DEMO_SCENE.viewId}/B04/14/2621/5680?MIN_MAX=0,4000`;
/** How long a changed file may stay unnoticed. */
const NOTICE_MS = 10_000;

/** Files that change under a running server. */
export const changedFiles: Family = {
  name: 'changed files',
  attacks: [
    {
      name: 'file replaced by rename',
      severity: 'high',
      does: 'a band file of a scene is replaced by another while its tile is requested with the old ETag',
      limit: 'new pixels and a new ETag within 10 s',
      run: (context) =>
        runReplaced(context, (path, other) => {
          copyFileSync(other, `${path}.new`);
          renameSync(`${path}.new`, path);
        }),
    },
    {
      name: 'file overwritten in place',
      severity: 'high',
      does: 'a band file of a scene is overwritten in place, while its tile is requested with the old ETag',
      limit: 'new pixels and a new ETag within 10 s; never a mixture',
      run: (context) => runReplaced(context, (path, other) => writeFileSync(path, readFileSync(other))),
    },
  ],
};

async function runReplaced(
  { start, keys }: AttackContext,
  replace: (path: string, other: string) => void,
): Promise<Sight> {
  const server = await start();
  const key = keys.marked;
  const folder = join(server.dataDir, DEMO_SCENE.folder);
  const before = await ask(server, BAND_TILE, { key });
  const wanted = await ask(server, BAND_TILE.replace('B04', 'B08'), { key });
  const etag = String(before.headers.etag);
  replace(join(folder, 'B04.tif'), join(folder, 'B08.tif'));
  const startedAt = performance.now();
  let [newPixelsMs, newTagMs, wrong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 0];
  while (performance.now() - startedAt < NOTICE_MS + 2_000) {
    const plain = await ask(server, BAND_TILE, { key });
    const asked = await ask(server, BAND_TILE, { key, headers: { 'if-none-match': etag } });
    const ms = performance.now() - startedAt;
    const isOld = plain.body.equals(before.body);
    const isNew = plain.body.equals(wanted.body);
    // An error while the file changes is honest; a picture of neither file is not.
    if (plain.status === 200 && !isOld && !isNew) wrong += 1;
    // New pixels under the old name stay in every cache on the way.
    if (plain.status === 200 && isNew && plain.headers.etag === etag) wrong += 1;
    if (plain.status === 200 && isNew) newPixelsMs = Math.min(newPixelsMs, ms);
    if (asked.status === 200) newTagMs = Math.min(newTagMs, ms);
    if (Number.isFinite(newPixelsMs) && Number.isFinite(newTagMs)) break;
    await sleep(250);
  }
  const show = (ms: number): string => (Number.isFinite(ms) ? `after ${(ms / 1000).toFixed(1)} s` : 'never');
  const saw = `new pixels ${show(newPixelsMs)}, old ETag refused ${show(newTagMs)}, ${wrong} wrong pictures`;
  return judge(saw, {
    'both files are drawn before': isPicture(before.body) && isPicture(wanted.body) && etag.length > 10,
    'new pixels within 10 s': newPixelsMs <= NOTICE_MS,
    'no 304 for the old ETag after 10 s': newTagMs <= NOTICE_MS,
    'no picture of neither file, no new pixels under the old ETag': wrong === 0,
  });
}
