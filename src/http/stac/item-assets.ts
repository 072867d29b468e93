/**
 * The files of a scene as assets, written as JSON. Most of it is the same in all scenes of a dataset: files that are alike are
 * described once, and addresses, transforms and sizes are set in, because a page has thousands of assets.
 */
import type { FiledHit, ListedFile, NewScene, SceneHit } from '../../catalog/index.ts';
import { parsePlaces } from '../../catalog/index.ts';
import { toStacItem } from '../../ingest/index.ts';
import { makeLru } from '../../lru.ts';
import { toExtension, toFileName } from './files.ts';
import type { JsonBytes } from './json-bytes.ts';
import type { JsonTemplate } from './json-template.ts';
import { compileEntries, fillTemplate, partHole, wholeHole } from './json-template.ts';

/** What is written alike for scenes whose files are alike. */
export interface FilesTemplate {
  readonly names: readonly string[];
  /** The assets with commas behind them, with holes for the folder of their addresses, their sizes and their transforms. */
  readonly json: JsonTemplate;
  /** The frame of each file; equal ones that follow each other are the same object. */
  readonly frames: readonly TransformFrame[];
  /** Extensions that their fields belong to; equal lists are the same object. */
  readonly extensions: readonly string[];
  /** Values of the holes, for the places that were written last. */
  placed: { readonly places: string | null; readonly values: string[] };
}

/** What stands around the origin in a transform of STAC. */
interface TransformFrame {
  readonly beforeX: string;
  readonly beforeY: string;
}

/** Layouts that are kept. Datasets have a few, in some reference systems each: UTM has 120. */
const MAX_TEMPLATES = 2_048;
const templates = makeLru<KnownTemplate>({ max: MAX_TEMPLATES });

type KnownTemplate = FilesTemplate & { readonly dataset: string };

/** Builds the function that finds the template of a scene's files. Those that are alike mostly follow each other. */
export function makeFindTemplate(): (hit: SceneHit, files: FiledHit['files']) => FilesTemplate {
  let last: { readonly layout: string; readonly template: KnownTemplate } | null = null;
  return (hit, { layout }) => {
    if (last?.layout !== layout || last.template.dataset !== hit.dataset)
      last = { layout, template: findTemplate(hit, layout) };
    return last.template;
  };
}

function findTemplate(hit: SceneHit, layout: string): KnownTemplate {
  const known = templates.get(layout);
  // Files of two datasets are hardly ever alike, and a longer key would have to be hashed for every scene.
  if (known?.dataset === hit.dataset) return known;
  const made = { ...makeTemplate(hit, layout), dataset: hit.dataset };
  templates.set(layout, made);
  return made;
}

/** The folder is the first hole; each file has two more, for its size and its transform. */
const FOLDER = 0;
const sizeOf = (file: number): number => 1 + 2 * file;
const transformOf = (file: number): number => 2 + 2 * file;

function makeTemplate(hit: SceneHit, layout: string): FilesTemplate {
  const files = Object.entries(JSON.parse(layout) as Readonly<Record<string, ListedFile>>);
  const made = files.map(([name, file], i) => describe(hit, { name, file, i }));
  const frames: TransformFrame[] = [];
  for (const [, { transform }] of files) {
    const [, a, b, , d, e] = transform;
    const frame = { beforeX: `[${a},${b},`, beforeY: `,${d},${e},` };
    const last = frames.at(-1);
    frames.push(last?.beforeX === frame.beforeX && last.beforeY === frame.beforeY ? last : frame);
  }
  return {
    names: files.map(([name]) => name),
    json: compileEntries(Object.fromEntries(made.map(({ name, value }) => [name, value]))),
    frames,
    extensions: intern([...new Set(made.flatMap(({ extensions }) => extensions))]),
    placed: { places: null, values: [] },
  };
}

interface DescribedFile {
  readonly name: string;
  readonly file: ListedFile;
  readonly i: number;
}

function describe(hit: SceneHit, { name, file, i }: DescribedFile) {
  // Clouds and the sun of the scene would name extensions that its files do not use.
  const bare = { ...hit, cloudPercent: null, sunElevationDeg: null, sunAzimuthDeg: null };
  const extension = toExtension(file.href);
  const assets = { [name]: { ...file, href: extension, overviews: [] } } as unknown as NewScene['assets'];
  const exported = toStacItem({ ...bare, assets });
  const described = (exported.assets as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name];
  // What only Swath needs is left out.
  const { 'swath:asset': _, 'proj:transform': __, 'proj:code': code, ...shown } = described ?? {};
  // The affine of an image that lies along an orbit is only near: saying it would place its pixels wrongly.
  const isPlaced = file.lattice === undefined;
  const pixelM = isPlaced ? toPixelM(file) : undefined;
  const value = {
    ...shown,
    href: `${partHole(FOLDER)}${toFileName(name, extension)}`,
    ...(isPlaced ? { 'proj:code': code, 'proj:transform': wholeHole(transformOf(i)) } : {}),
    'proj:shape': wholeHole(sizeOf(i)),
    title: name,
    ...(pixelM === undefined ? {} : { gsd: pixelM }),
  };
  return { name, value, extensions: exported.stac_extensions as readonly string[] };
}

const lists = new Map<string, readonly string[]>();

/** There are as many lists as combinations of a few extensions. */
function intern(list: readonly string[]): readonly string[] {
  const key = list.join();
  const known = lists.get(key) ?? list;
  lists.set(key, known);
  return known;
}

/** Metres of a pixel, of images in a projection. */
function toPixelM({ epsg, transform }: ListedFile): number | undefined {
  const size = Math.abs(transform[1]);
  return epsg === 4326 || size < 0.01 ? undefined : size;
}

/** Appends the files of a scene, each with a comma behind it. `folder` is what their addresses begin with, as it stands in JSON. */
export function writeFileAssets(
  template: FilesTemplate,
  { places, folder }: { readonly places: string; readonly folder: string },
  out: JsonBytes,
): void {
  // Scenes of one tile of a mission's grid lie alike, and often follow each other.
  const placed =
    template.placed.places === places ? template.placed : { places, values: toValues(template, places) };
  template.placed = placed;
  placed.values[FOLDER] = folder;
  fillTemplate(template.json, placed.values, out);
}

/** The values of all holes but the folder. */
function toValues({ frames }: FilesTemplate, places: string): string[] {
  const values = [''];
  const placed = parsePlaces(places);
  for (const [i, frame] of frames.entries()) {
    const place = placed[i] as (typeof placed)[number];
    // Bands of one resolution lie alike.
    if (place === placed[i - 1] && frame === frames[i - 1])
      values.push(values[sizeOf(i - 1)] as string, values[transformOf(i - 1)] as string);
    else {
      const [x, y, width, height] = place;
      values.push(`[${height},${width}]`, `${frame.beforeX}${x}${frame.beforeY}${y}]`);
    }
  }
  return values;
}
