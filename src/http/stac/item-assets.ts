/**
 * The files of a scene as assets, written as JSON. Most of an asset is the same in all scenes of a dataset: it is described
 * once, and address, transform and size are set in, because a page has thousands of assets.
 */
import type { Asset, Scene } from '../../catalog/index.ts';
import { toStacItem } from '../../ingest/index.ts';

/** The JSON of assets that are alike. */
interface AssetTemplate {
  /** Pieces between address, transform and size; images that are not placed have no transform. */
  readonly pieces: readonly string[];
  readonly isPlaced: boolean;
  /** Extensions that its fields belong to. */
  readonly extensions: readonly string[];
}

const templates = new Map<string, AssetTemplate>();
/** Datasets have some tens of bands, each in a few reference systems: UTM has 120. */
const MAX_TEMPLATES = 10_000;

/** What JSON has where a value is set in. */
const HOLE = /"@(?:href|transform|shape)@"/;

function findTemplate(scene: Scene, name: string, asset: Asset): AssetTemplate {
  const { epsg, proj, type, nodata, scale, offset, lattice, transform, href } = asset;
  const isJp2 = /\.jp2$/i.test(href);
  const key = `${scene.dataset} ${name} ${epsg} ${type} ${nodata} ${scale} ${offset} ${transform[1]} ${lattice === undefined} ${isJp2} ${proj}`;
  const known = templates.get(key);
  if (known !== undefined) return known;
  const made = makeTemplate(scene, name, asset);
  if (templates.size >= MAX_TEMPLATES) templates.clear();
  templates.set(key, made);
  return made;
}

function makeTemplate(scene: Scene, name: string, asset: Asset): AssetTemplate {
  // Clouds and the sun of the scene would name extensions that its files do not use.
  const bare = { ...scene, cloudPercent: null, sunElevationDeg: null, sunAzimuthDeg: null };
  const exported = toStacItem({ ...bare, assets: { [name]: asset } });
  const described = (exported.assets as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[name];
  // What only Swath needs is left out.
  const { 'swath:asset': _, 'proj:transform': __, 'proj:code': code, ...shown } = described ?? {};
  // The affine of an image that lies along an orbit is only near: saying it would place its pixels wrongly.
  const isPlaced = asset.lattice === undefined;
  const pixelM = isPlaced ? toPixelM(asset) : undefined;
  const text = JSON.stringify({
    ...shown,
    href: '@href@',
    ...(isPlaced ? { 'proj:code': code, 'proj:transform': '@transform@' } : {}),
    'proj:shape': '@shape@',
    title: name,
    ...(pixelM === undefined ? {} : { gsd: pixelM }),
  });
  return { pieces: text.split(HOLE), isPlaced, extensions: exported.stac_extensions as readonly string[] };
}

/** Metres of a pixel, of images in a projection. */
function toPixelM({ epsg, transform }: Asset): number | undefined {
  const size = Math.abs(transform[1]);
  return epsg === 4326 || size < 0.01 ? undefined : size;
}

/** Files of a scene: their JSON, name by name, and the extensions that they use. */
export function writeFileAssets(
  scene: Scene,
  toFile: (asset: string, href: string) => string,
): { readonly texts: readonly string[]; readonly extensions: ReadonlySet<string> } {
  const texts: string[] = [];
  const extensions = new Set<string>();
  let last: readonly string[] | null = null;
  for (const [name, asset] of Object.entries(scene.assets)) {
    const template = findTemplate(scene, name, asset);
    texts.push(`${JSON.stringify(name)}:${fill(template, asset, toFile(name, asset.href))}`);
    if (template.extensions !== last) for (const one of template.extensions) extensions.add(one);
    last = template.extensions;
  }
  return { texts, extensions };
}

function fill({ pieces, isPlaced }: AssetTemplate, { transform, width, height }: Asset, href: string) {
  const [x, a, b, y, d, e] = transform;
  const values = isPlaced
    ? [JSON.stringify(href), `[${height},${width}]`, JSON.stringify([a, b, x, d, e, y])]
    : [JSON.stringify(href), `[${height},${width}]`];
  // The address is the first field; size comes before the transform.
  return pieces.map((piece, i) => (i === 0 ? piece : `${values[i - 1]}${piece}`)).join('');
}
