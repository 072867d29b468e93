/** SWATH_CATALOGS: a list of presets and URLs, or a file in which presets are changed and other catalogs described. */
import * as z from 'zod';
import type { LiveCatalog, LiveCollection } from '../live/index.ts';
import { findCatalogProblems, knownCollections, presets } from '../live/presets/index.ts';
import { redactAddresses } from '../net/index.ts';
import type { NetworkSources } from '../sources/index.ts';
import { SettingError } from './setting.ts';
import { networkShape, readJsonFile, toFileProblem } from './source-settings.ts';

/** More catalogs would make every search wait for the slowest of many. */
const MAX_CATALOGS = 20;

const name = z.string().min(1).max(63);
const text = z.string().max(500);
const property = z.string().min(1).max(100);
/** By the name of a field or of a property. */
const byName = <Value extends z.ZodType>(value: Value) => z.record(property, value);

const collectionShape = z.strictObject({
  collection: z.string().min(1).max(200),
  dataset: name.optional(),
  where: byName(
    z
      .array(z.union([z.string().max(200), z.number()]))
      .min(1)
      .max(100),
  ).optional(),
  properties: byName(
    z.strictObject({
      name: property,
      step: z.number().positive().optional(),
      slack: z.number().min(0).optional(),
    }),
  ).optional(),
  locate: byName(z.string().min(1).max(300)).optional(),
  namingAssets: z.array(property).max(20).optional(),
  heavyAssets: z.array(property).max(200).optional(),
  since: z.string().optional(),
});

/** One catalog of the file form; docs/use/earth.md explains each word. */
const catalogShape = z.strictObject({
  preset: z.enum(presets.map((one) => one.name)).optional(),
  name: name.optional(),
  title: text.optional(),
  url: z.string().max(500).optional(),
  api: z
    .strictObject({
      filter: z.enum(['cql2', 'query', 'none']),
      sort: z.boolean(),
      fields: z.boolean(),
      counts: z.boolean(),
      maxItems: z.int().min(1).max(10_000),
    })
    .nullable()
    .optional(),
  collections: z
    .array(z.union([z.string().min(1).max(200), collectionShape]))
    .min(1)
    .max(200)
    .optional(),
  sources: networkShape.optional(),
  limits: z
    .strictObject({
      requestsPerMinute: z.int().min(1).max(100_000).optional(),
      concurrency: z.int().min(1).max(100).optional(),
      deadlineMs: z.int().min(100).max(60_000).optional(),
    })
    .optional(),
  terrain: z
    .strictObject({
      name,
      collection: z.string().min(1).max(200),
      files: z.string().max(500).nullable().default(null),
      attribution: text,
    })
    .nullable()
    .optional(),
  attribution: text.optional(),
  licence: text.optional(),
  costs: text.optional(),
});

type StatedCatalog = z.infer<typeof catalogShape>;

const fileShape = z.array(catalogShape).max(MAX_CATALOGS);

/** The catalogs in one line: names, and where those are asked that are not as their preset. */
export const describeCatalogs = (catalogs: readonly LiveCatalog[]): string =>
  catalogs
    .map(({ name, url }) =>
      presets.some((one) => one.name === name && one.url === url)
        ? name
        : `${name} (${redactAddresses(url)})`,
    )
    .join(', ') || '(none)';

/** Reads SWATH_CATALOGS; errors continue the variable's name. */
export function parseCatalogs(text: string): readonly LiveCatalog[] {
  const isFile = text.endsWith('.json') && !/[\s,]|^https?:/.test(text);
  const catalogs = isFile ? readCatalogsFile(text) : parseList(text);
  const twice = catalogs.find(({ name }, index) => catalogs.findIndex((one) => one.name === name) < index);
  if (twice !== undefined) {
    throw new SettingError(`names ${twice.name} twice; in a .json file, "name" tells catalogs apart`, null);
  }
  return catalogs;
}

function parseList(text: string): readonly LiveCatalog[] {
  const entries = text.split(/[\s,]+/).filter((word) => word !== '');
  if (entries.length > MAX_CATALOGS) throw new Error(`must name at most ${MAX_CATALOGS} catalogs`);
  return entries.map((entry) => {
    const preset = presets.find((one) => one.name === entry);
    if (preset !== undefined) return preset;
    const url = /^https:\/\//.test(entry) ? URL.parse(entry) : null;
    const root = url === null ? '' : url.href.replace(/\/+$/, '');
    const catalog =
      url === null || url.port !== '' ? null : toOwnCatalog({ url: root }, { hosts: [url.hostname] });
    if (catalog === null || findCatalogProblems(catalog).length > 0) {
      throw new SettingError(
        `lists "${redactAddresses(entry).slice(0, 80)}"; each entry must be ${presets.map((one) => one.name).join(', ')} or the https URL of a STAC API. http, ports and the hosts of files elsewhere need the JSON form: name a .json file (docs/use/earth.md, "Your own STAC API")`,
        null,
      );
    }
    return catalog;
  });
}

function readCatalogsFile(path: string): readonly LiveCatalog[] {
  const content = readJsonFile(path);
  const { data, error } = fileShape.safeParse(content);
  if (error !== undefined) throw toFileProblem(path, content, error);
  return data.map((stated, index) => {
    const refuse = (why: string): never => {
      throw new SettingError(`names the file ${path}, in which catalog ${index + 1} is wrong: ${why}`, null);
    };
    const preset = presets.find((one) => one.name === stated.preset);
    if (preset === undefined && (stated.url === undefined || stated.sources === undefined)) {
      return refuse(
        'it names no preset, so it needs "url", and "sources" with the hosts or buckets of its files (docs/use/earth.md, "Your own STAC API")',
      );
    }
    const catalog =
      preset === undefined
        ? toOwnCatalog({ ...stated, url: stated.url ?? '' }, toNetwork(stated))
        : toChangedPreset(preset, stated);
    const problems = findCatalogProblems(catalog);
    return problems.length > 0 ? refuse(problems.join('; ')) : catalog;
  });
}

/** The sources of a file without the words that it leaves out: Zod writes these as undefined. */
const toNetwork = ({ sources }: StatedCatalog): NetworkSources =>
  JSON.parse(JSON.stringify(sources ?? {})) as NetworkSources;

/** A preset with what the file says in its place. Sources are replaced as a whole, so that no host stays by accident. */
function toChangedPreset(preset: LiveCatalog, stated: StatedCatalog): LiveCatalog {
  const { preset: _, collections, sources, limits, url, ...words } = stated;
  return {
    ...preset,
    ...withoutMissing(words),
    ...(url === undefined ? {} : { url: url.replace(/\/+$/, '') }),
    ...(collections === undefined ? {} : { collections: toCollections(collections, preset.collections) }),
    ...(sources === undefined ? {} : { sources: toNetwork(stated) }),
    // The preset knows where the provider has its tiles. Another server has them where its items say.
    ...((url !== undefined || sources !== undefined) && words.terrain === undefined && preset.terrain !== null
      ? { terrain: { ...preset.terrain, files: null } }
      : {}),
    limits: { ...preset.limits, ...withoutMissing(limits ?? {}) },
  };
}

/** How politely a catalog is asked of which nothing is known. */
const OWN_LIMITS: LiveCatalog['limits'] = { requestsPerMinute: 600, concurrency: 8, deadlineMs: 8_000 };

/** A catalog that is not a preset; by default it has those of the known collections that its API lists. */
function toOwnCatalog(
  { preset: _, collections, sources: _sources, limits, ...words }: StatedCatalog & { readonly url: string },
  sources: NetworkSources,
): LiveCatalog {
  const url = words.url.replace(/\/+$/, '');
  const host = URL.parse(url)?.hostname.replace(/[^a-z0-9.-]/g, '') ?? '';
  return {
    name: host,
    title: host,
    api: null,
    terrain: null,
    attribution: '',
    licence: '',
    costs: '',
    ...withoutMissing(words),
    url,
    collections: collections === undefined ? knownCollections : toCollections(collections, knownCollections),
    isGuessed: collections === undefined,
    sources,
    limits: { ...OWN_LIMITS, ...withoutMissing(limits ?? {}) },
  };
}

/** Collections of a file: an id alone, or with what differs from the collection of that id and dataset. */
function toCollections(
  stated: NonNullable<StatedCatalog['collections']>,
  known: readonly LiveCollection[],
): readonly LiveCollection[] {
  return stated.flatMap((one): readonly LiveCollection[] => {
    const { collection, dataset, ...words } = typeof one === 'string' ? { collection: one } : one;
    const all = [...known, ...knownCollections];
    const like = all.filter(
      (other, index) =>
        other.collection === collection &&
        (dataset === undefined || other.dataset === dataset) &&
        all.findIndex((first) => first.collection === collection && first.dataset === other.dataset) ===
          index,
    );
    // Refused by `findCatalogProblems` if it names no dataset.
    const bases =
      like.length > 0
        ? like
        : [
            {
              collection,
              dataset: dataset ?? '',
              where: {},
              properties: {},
              locate: {},
              namingAssets: [],
              heavyAssets: [],
              since: '1972-01-01',
            },
          ];
    return bases.map((base) => ({ ...base, ...withoutMissing(words) }) as LiveCollection);
  });
}

type Stated<Words> = { readonly [Word in keyof Words]-?: Exclude<Words[Word], undefined> };

/** The words that are stated. */
const withoutMissing = <Words extends object>(words: Words): Partial<Stated<Words>> =>
  Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined)) as Partial<
    Stated<Words>
  >;
