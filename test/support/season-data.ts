import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/sqlite/index.ts';
import { lockFolder } from '../../src/app/open-store.ts';
import { DEMO_FOLDER, takeDemoSoilMoisture } from '../../src/demo/demo-data.ts';
import { ingestFolder } from '../../src/ingest/index.ts';
import { makeOpenSource, toFileHref } from '../../src/sources/index.ts';
import type { DemoPart } from '../../world/demo/demo-part.ts';
import { isScene } from '../../world/demo/demo-part.ts';
import { planSet } from '../../world/demo/plan-set.ts';
import { copyParts, openWorld } from '../world/shared-world.ts';
import { makeDemoData } from './demo-data.ts';
import { makeOnce } from './made-once.ts';

/** Days of the season, from seed to harvest; the demo has more. */
const SEASON = { first: '2026-03-01', last: '2026-09-30' } as const;

/** The forest before and after the fire. */
const FIRE = /-2026-08-(02|17)-1$/;

/** What a season over the fields is made of: every other scene of the demo's series, the forest before and after the fire, and the weather. */
function planSeason(parts: readonly DemoPart[]): readonly DemoPart[] {
  const dateOf = ({ key }: DemoPart): string => /^sentinel2-l2a-(\d{4}-\d\d-\d\d)-/.exec(key)?.[1] ?? '';
  const ofSeason = parts.filter((part) => dateOf(part) >= SEASON.first && dateOf(part) <= SEASON.last);
  const isOfFire = ({ key }: DemoPart): boolean => FIRE.test(key);
  return [
    ...ofSeason.filter((part) => !isOfFire(part)).filter((_, i) => i % 2 === 0),
    ...ofSeason.filter(isOfFire),
    ...parts.filter(({ kind }) => kind === 'weather'),
  ];
}

/** The small demo and a season over its fields, with terrain, weather and soil moisture; for the caller to use and remove. */
export async function makeSeasonData(): Promise<string> {
  const { climate } = await openWorld();
  const [, , ...others] = planSet('standard', climate);
  const parts = planSeason(others);
  const digest = hash('sha256', JSON.stringify(parts)).slice(0, 16);
  const [made = ''] = await makeOnce([
    { name: `season-${digest}`, madeBy: 'src/main.ts', make: (folder) => makeSeason(folder, parts) },
  ]);
  const directory = mkdtempSync(join(tmpdir(), 'swath-season-'));
  // With its times, to the nanosecond: files of other times would be taken for replaced ones.
  execFileSync('cp', ['-a', `${made}/.`, directory]);
  return directory;
}

async function makeSeason(dataDir: string, parts: readonly DemoPart[]): Promise<void> {
  const small = await makeDemoData();
  execFileSync('cp', ['-a', `${small}/.`, dataDir]);
  const toFolder = ({ key }: DemoPart): string => join(dataDir, DEMO_FOLDER, key);
  await copyParts(parts, toFolder);
  const roots = { dataDir, folders: [] };
  const store = openSqliteStore(dataDir);
  try {
    for (const part of parts.filter(isScene)) {
      const { totals } = await ingestFolder({
        path: toFolder(part),
        store: store.scenes,
        open: makeOpenSource(roots),
        toHref: (path) => toFileHref(path, roots),
        onBug: (error) => assert.fail(String(error)),
        provenance: 'demo',
      });
      assert.equal(totals.ingested, 1, `${part.key} was not taken in`);
    }
  } finally {
    await store.close();
  }
  const { signal } = new AbortController();
  for (const part of parts.filter(({ kind }) => kind === 'weather')) {
    const config = { dataDir, cubes: null, sources: { folders: [] } };
    await takeDemoSoilMoisture(toFolder(part), { config, lockFolder, signal });
  }
}
