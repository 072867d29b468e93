import { existsSync, linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The date of a scene: every fifth day, as Sentinel-2 passes. */
export const toDate = (serial: number): string =>
  new Date(Date.UTC(2026, 5, 1) - serial * 5 * 86_400_000).toISOString().slice(0, 10);

interface LinkedScenes {
  readonly count: number;
  /** The files that a scene's bands are linked to. */
  readonly filesOf: (serial: number) => Readonly<Record<string, string>>;
  readonly cloudPercent: number;
  /** Every fifth day up to 1 June 2026 by default. */
  readonly dateOf?: (serial: number) => string;
}

/**
 * Makes scenes of one tile in a folder, each with files of its own name that are links to a few: the service cannot know
 * that, and decodes each of them. Scenes that are there already stay. Gives the folders of the scenes.
 */
export function linkScenes(
  series: string,
  { count, filesOf, cloudPercent, dateOf = toDate }: LinkedScenes,
): readonly string[] {
  const folders: string[] = [];
  for (let serial = 0; serial < count; serial += 1) {
    const date = dateOf(serial);
    const id = `S2B_36UVA_${date.replaceAll('-', '')}_0_L2A`;
    const scene = join(series, id);
    folders.push(scene);
    if (existsSync(join(scene, `${id}.json`))) continue;
    mkdirSync(scene, { recursive: true });
    const files = filesOf(serial);
    for (const [band, path] of Object.entries(files)) linkSync(path, join(scene, `${band}.tif`));
    const item = toItem({ id, date, cloudPercent, folder: '.', bands: Object.keys(files) });
    writeFileSync(join(scene, `${id}.json`), JSON.stringify(item));
  }
  return folders;
}

interface ItemFacts {
  readonly id: string;
  readonly date: string;
  readonly cloudPercent: number;
  /** Where its files are. */
  readonly folder: string;
  readonly bands: readonly string[];
}

/** The STAC item of such a scene. */
export const toItem = ({ id, date, cloudPercent, folder, bands }: ItemFacts) => ({
  type: 'Feature',
  stac_version: '1.0.0',
  id,
  bbox: [31, 49, 35, 52],
  properties: {
    datetime: `${date}T08:50:12Z`,
    'eo:cloud_cover': cloudPercent,
    'earthsearch:boa_offset_applied': true,
    's2:processing_baseline': '05.11',
  },
  geometry: null,
  links: [],
  assets: Object.fromEntries(
    bands.map((band) => [band, { href: `${folder}/${band}.tif`, type: 'image/tiff' }]),
  ),
});
