import { isSwathError } from '../../errors.ts';
import type { FoundFile } from '../../files/index.ts';
import type { ProductLayout, Sensor } from '../../sensors/index.ts';
import { findBandFile, parseViewId, sensors } from '../../sensors/index.ts';

/** What a file without bands is to its product. */
type FileRole = keyof ProductLayout['files'];

/** A band of a product and the file it is in. */
interface ProductBand {
  readonly file: FoundFile;
  /** Band of the file, counted from 0. */
  readonly bandIndex: number;
}

/** A product in a folder, found by the names of its files; none of them has been read yet. */
export interface Product {
  /** Its name in reports: its path below the scanned folder. */
  readonly name: string;
  readonly sensor: Sensor;
  readonly layout: ProductLayout;
  /** Names of the folders it lies in, those above the scanned folder too. */
  readonly folder: readonly string[];
  /** The provider's name of it, if its files contain one. */
  readonly id: string | null;
  /** By band name of the sensor. */
  readonly bands: ReadonlyMap<string, ProductBand>;
  /** Sidecars of the images: overviews and georeference. */
  readonly sidecars: readonly FoundFile[];
  /** Other files of the product: metadata, masks, annotations. */
  readonly files: ReadonlyMap<FileRole, readonly FoundFile[]>;
}

/** The products and the rest of a scanned folder. */
interface Findings {
  readonly products: readonly Product[];
  /** Images, metadata and archives that cannot be ingested, with the reason. */
  readonly skipped: readonly { readonly name: string; readonly code: string; readonly reason: string }[];
}

const RASTER = /\.(?:tif|tiff|jp2)$/i;
/** Names of the sidecars of an image that the fingerprint of a product includes. */
const SIDECARS: readonly ((path: string) => string)[] = [
  ...['.ovr', '.aux.xml'].map((suffix) => (path: string) => `${path}${suffix}`),
  ...['.tfw', '.tifw', '.wld'].map((suffix) => (path: string) => path.replace(/\.[^./]*$/, suffix)),
];
const ARCHIVE = /\.(?:tar|tgz|tar\.gz|tar\.bz2|zip)$/i;

/** A product whose files are still being collected. */
interface Draft {
  readonly sensor: Sensor;
  readonly layout: ProductLayout;
  readonly folder: readonly string[];
  readonly id: string;
  readonly bands: Map<string, ProductBand & { readonly rank: number }>;
}

/** Files by the folder, layout and id they belong to. */
interface Groups {
  readonly drafts: Map<string, Draft>;
  readonly markers: Map<string, FoundFile>;
  readonly files: Map<string, Files>;
  /** Files whose names contain no id. */
  readonly shared: Map<string, Files>;
}

type Files = Map<FileRole, FoundFile[]>;

interface Pattern {
  readonly sensor: Sensor;
  readonly layout: ProductLayout;
  readonly use: 'marker' | 'band' | FileRole;
  readonly pattern: RegExp;
}

/** All patterns, by the number of segments of the paths they match: they are anchored and contain plain slashes. */
const patternsByLevel: ReadonlyMap<number, readonly Pattern[]> = Map.groupBy(
  sensors.flatMap((sensor) =>
    sensor.layouts.flatMap((layout): Pattern[] => {
      const files = Object.entries(layout.files) as [FileRole, RegExp][];
      const all = [['marker', layout.marker], ['band', layout.bandFile], ...files] as const;
      return all.map(([use, pattern]) => ({ sensor, layout, use, pattern }));
    }),
  ),
  ({ pattern }) => pattern.source.split('/').length,
);

/**
 * Groups files into products, by the layouts of the sensors. `above` names the folders that the files lie in: the folder
 * of a product may be the scanned one, or one above it, and its name says what the product is.
 */
export function findProducts(found: readonly FoundFile[], above: readonly string[] = []): Findings {
  const groups: Groups = { drafts: new Map(), markers: new Map(), files: new Map(), shared: new Map() };
  const files = found.map((file) => ({ ...file, parts: [...above, ...file.parts] }));
  const toName = (parts: readonly string[]): string =>
    parts.slice(above.length).join('/') || (parts.at(-1) ?? '.');
  for (const file of files) sortIn(file, groups);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const drafts = [...groups.drafts.values()].filter((draft) => isWhole(draft, groups));
  return {
    products: drafts.map((draft) => toProduct(draft, groups, { byPath, toName })),
    skipped: [...findEmpty(drafts, groups), ...findUnknown(files, drafts)].map(({ parts, ...why }) => ({
      name: toName(parts),
      ...why,
    })),
  };
}

const toKey = (layout: ProductLayout, folder: readonly string[], id: string): string =>
  [layout.name, id, ...folder].join('\0');

/** A product has its marker, or at least a name that identifies the scene. */
function isWhole({ sensor, layout, folder, id }: Draft, { markers }: Groups): boolean {
  return (
    markers.has(toKey(layout, folder, id)) ||
    markers.has(toKey(layout, folder, '')) ||
    (id !== '' && isSceneName(sensor, id))
  );
}

function isSceneName(sensor: Sensor, id: string): boolean {
  try {
    parseViewId(`${sensor.abbreviation}/${id}`);
    return true;
  } catch (error) {
    if (isSwathError(error) && error.tag === 'not-found') return false;
    throw error;
  }
}

/** Matches a file against the layouts of its own folder and of every folder above. */
function sortIn(file: FoundFile, groups: Groups): void {
  for (const [level, patterns] of patternsByLevel) {
    if (level > file.parts.length) continue;
    const folder = file.parts.slice(0, -level);
    const sortBy = (path: string) => {
      const matching = patterns.filter(({ pattern }) => pattern.test(path));
      for (const pattern of matching) sortInto({ ...pattern, folder, file, path }, groups);
      return matching.length > 0;
    };
    const isKnown = sortBy(file.parts.slice(-level).join('/'));
    const fullName = level === 1 && !isKnown ? toFullName(file) : null;
    if (fullName !== null) sortBy(fullName);
  }
}

/** Some copies shorten file names to a prefix of the folder's name; the folder then has the full one. */
function toFullName({ parts }: FoundFile): string | null {
  const name = parts.at(-1) ?? '';
  const folder = parts.at(-2) ?? '';
  const cut = name.lastIndexOf('_');
  return cut > 0 && folder.startsWith(name.slice(0, cut + 1)) ? `${folder}${name.slice(cut)}` : null;
}

interface MatchedFile extends Pattern {
  readonly folder: readonly string[];
  readonly file: FoundFile;
  /** Relative to the product. */
  readonly path: string;
}

function sortInto({ sensor, layout, use, pattern, folder, file, path }: MatchedFile, groups: Groups): void {
  const found = pattern.exec(path);
  if (found === null) return;
  const id = found.groups?.id ?? '';
  if (use === 'marker') {
    // Where only the marker has an id, all files of the folder belong to it.
    for (const key of new Set([id, ''])) groups.markers.set(toKey(layout, folder, key), file);
  } else if (use === 'band') {
    const key = toKey(layout, folder, id);
    const draft = groups.drafts.get(key) ?? { sensor, layout, folder, id, bands: new Map() };
    if (addBands(draft, file, path)) groups.drafts.set(key, draft);
  } else {
    for (const owner of new Set([id, layout.sidecarId?.exec(id)?.[1] ?? id, '']))
      putIn(groups.files, toKey(layout, folder, owner), { use, file });
    if (id === '') putIn(groups.shared, toKey(layout, folder, ''), { use, file });
  }
}

function putIn(
  group: Map<string, Files>,
  key: string,
  { use, file }: { use: FileRole; file: FoundFile },
): void {
  const roles = group.get(key) ?? new Map<FileRole, FoundFile[]>();
  group.set(key, roles);
  const known = roles.get(use);
  if (known === undefined) roles.set(use, [file]);
  else known.push(file);
}

function addBands({ sensor, layout, bands }: Draft, file: FoundFile, path: string): boolean {
  const holds = findBandFile(sensor, layout, path);
  if (holds === null) return false;
  for (const [bandIndex, { name }] of holds.bands.entries()) {
    const known = bands.get(name);
    if (known === undefined || holds.rank < known.rank)
      bands.set(name, { file, bandIndex, rank: holds.rank });
  }
  return true;
}

interface Naming {
  readonly byPath: ReadonlyMap<string, FoundFile>;
  /** The name of a file or product in reports. */
  readonly toName: (parts: readonly string[]) => string;
}

/** A file that cannot be ingested, and why. */
interface LeftOut {
  readonly parts: readonly string[];
  readonly code: string;
  readonly reason: string;
}

function toProduct(
  { sensor, layout, folder, id, bands }: Draft,
  { files, shared }: Groups,
  { byPath, toName }: Naming,
): Product {
  const images = new Set([...bands.values()].map(({ file }) => file.path));
  return {
    name: toName([...folder, ...(id === '' || folder.at(-1) === id ? [] : [id])]),
    sensor,
    layout,
    folder,
    id: id === '' ? null : id,
    bands,
    sidecars: [...images].flatMap((path) => SIDECARS.flatMap((toPath) => byPath.get(toPath(path)) ?? [])),
    // One of several products in a folder has its own files, and those that the folder shares.
    files: new Map([
      ...(shared.get(toKey(layout, folder, '')) ?? []),
      ...(files.get(toKey(layout, folder, id)) ?? []),
    ]),
  };
}

/** Metadata without images: one entry each, however many layouts they fit. */
function findEmpty(drafts: readonly Draft[], { markers }: Groups): readonly LeftOut[] {
  const withBands = new Set(
    drafts.flatMap(({ layout, folder, id }) =>
      [id, ''].flatMap((key) => markers.get(toKey(layout, folder, key))?.path ?? []),
    ),
  );
  const ids = new Set(drafts.map(({ folder, id }) => [...folder, id].join('/')));
  const empty = new Map<string, FoundFile>();
  for (const [key, file] of markers) {
    const [, id = ''] = key.split('\0');
    // Of metadata in several formats one has become the marker; the others belong to the same product.
    const isOther = ids.has([...file.parts.slice(0, -1), id].join('/'));
    if (!withBands.has(file.path) && !isOther) empty.set(file.path, file);
  }
  return [...empty.values()].map(({ parts }) => ({
    parts,
    code: 'no-images',
    reason: 'It is the metadata of a product whose images are missing.',
  }));
}

/** Images that belong to no product, and archives; previews inside a product's folder are not reported. */
function findUnknown(files: readonly FoundFile[], drafts: readonly Draft[]): readonly LeftOut[] {
  const used = new Set(drafts.flatMap(({ bands }) => [...bands.values()].map(({ file }) => file)));
  const owners = Map.groupBy(drafts, ({ folder }) => folder.join('/'));
  // In a folder with several products, a file belongs to the product whose name it or its folder has.
  const isOwned = ({ parts }: FoundFile) =>
    parts.some((_, depth) =>
      owners
        .get(parts.slice(0, depth).join('/'))
        ?.some(({ id }) => parts.slice(depth).some((name) => name.startsWith(id))),
    );
  return files.flatMap((file) => {
    const { parts } = file;
    const name = parts.at(-1) ?? '';
    if (ARCHIVE.test(name)) {
      return [{ parts, code: 'archive', reason: 'It is an archive; unpack it first.' }];
    }
    if (!RASTER.test(name) || used.has(file) || isOwned(file)) return [];
    return [{ parts, code: 'unknown-image', reason: 'The image belongs to no known product.' }];
  });
}
