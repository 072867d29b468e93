import { cancelled, internal } from '../errors.ts';
import type { DemStore } from '../terrain/index.ts';
import { ingestDem } from '../terrain/index.ts';
import type { Config } from './config.ts';
import { makeDemDoors } from './dem.ts';

/** Name of the elevation model of the demo world. */
const DEMO_DEM = 'demo';

/** Takes the terrain of the demo world in as an elevation model. */
export async function takeDemoTerrain(
  folder: string,
  { config, dems, signal }: { config: Config; dems: DemStore; signal: AbortSignal },
): Promise<void> {
  const { totals, files, stopped } = await ingestDem({
    ...makeDemDoors(config),
    from: folder,
    store: dems,
    name: DEMO_DEM,
    gaps: 'unknown',
    // Its files have the names of the Copernicus DEM and nothing else of it.
    attribution: null,
    signal,
  });
  if (stopped) throw cancelled('demo-stopped', 'Making the demo was stopped.');
  if (totals.broken === 0) return;
  const why = files.find(({ outcome }) => outcome === 'broken')?.reason;
  throw internal('demo-not-ingested', `The demo's terrain could not be ingested: ${why}`);
}

/** Takes it out again; files that an operator has added to the model stay in it. */
export async function removeDemoTerrain(dems: DemStore, isOfDemo: (href: string) => boolean): Promise<void> {
  const [own, others]: [string[], string[]] = [[], []];
  for await (const { id, href } of dems.listFiles({ dem: DEMO_DEM, overview: 0 })) {
    (isOfDemo(href) ? own : others).push(id);
  }
  if (others.length > 0) await dems.removeFiles(own);
  else if (own.length > 0) await dems.removeDem(DEMO_DEM);
}
