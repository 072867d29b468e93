import type { LiveCatalog } from '../live/index.ts';
import { COPERNICUS_ENDPOINT } from '../live/presets/index.ts';
import type { NetworkSources } from '../sources/index.ts';
import { describeCatalogs, parseCatalogs } from './catalog-list.ts';
import type { SettingsOf } from './setting.ts';
import { parseCount } from './setting.ts';
import type { Sources } from './source-settings.ts';

/** Keys of a store of buckets. */
type S3Key = NonNullable<S3Buckets['credentials']>;
type S3Buckets = NonNullable<NetworkSources['s3']>[number];

/** The settings of live catalogs. */
export interface CatalogConfig {
  /** In the order in which they are asked: for each dataset the first one that has it answers. */
  readonly liveCatalogs: readonly LiveCatalog[];
  readonly catalogContact: string | null;
  readonly knownScenes: number;
  readonly awsKey: S3Key | null;
  readonly copernicusKey: S3Key | null;
}

/** Reads an access key, `id:secret` or `id:secret:session token`. No message repeats it. */
function parseKey(text: string): S3Key {
  const [, accessKeyId, secretAccessKey, sessionToken] =
    /^([\x21-\x39\x3b-\x7e]{4,128}):([\x21-\x39\x3b-\x7e]{8,256})(?::([\x21-\x7e]{8,2048}))?$/.exec(text) ??
    [];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new Error('must be the id and the secret of an access key with a colon between them, id:secret');
  }
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

/** Reads SWATH_CATALOG_CONTACT, which goes into a header: an e-mail address, or an address of the web. */
function parseContact(text: string): string {
  const isMail = /^[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+$/.test(text);
  const isPage = /^https?:\/\/[A-Za-z0-9._~:/@%+-]+$/.test(text) && URL.canParse(text);
  if (text.length > 200 || !(isMail || isPage)) {
    throw new Error(
      'must be an e-mail address or a URL, such as maps@example.org or https://example.org/contact',
    );
  }
  return text;
}

/** How these settings are read. */
export const catalogSettings: SettingsOf<CatalogConfig> = {
  liveCatalogs: {
    variable: 'SWATH_CATALOGS',
    summary:
      'Public STAC APIs that searches ask without an ingest (docs/use/earth.md): presets (earth-search, planetary-computer, copernicus, usgs) and https URLs, separated by commas or spaces, or a `.json` file with more options. For each dataset the first one that has it answers.',
    fallbackText: '(none)',
    fallback: () => [],
    parse: parseCatalogs,
    show: describeCatalogs,
  },
  catalogContact: {
    variable: 'SWATH_CATALOG_CONTACT',
    summary: 'E-mail address or URL that requests to catalogs state, so that their operators can reach you.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseContact,
  },
  knownScenes: {
    variable: 'SWATH_KNOWN_SCENES',
    summary:
      'Max scenes of catalogs that the store remembers after their first use; beyond that, the least recently used are forgotten.',
    fallbackText: '100000',
    fallback: () => 100_000,
    parse: (text) => parseCount(text, 100, 10_000_000),
  },
  copernicusKey: {
    variable: 'SWATH_COPERNICUS_KEY',
    summary:
      'S3 key of a Copernicus Data Space account, `id:secret`, for the files of the catalog copernicus.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseKey,
    secret: true,
  },
  awsKey: {
    variable: 'SWATH_AWS_KEY',
    summary:
      'Access key of an AWS account, `id:secret`, which pays for files in buckets whose requester pays, such as those of the catalog usgs.',
    fallbackText: '(none)',
    fallback: () => null,
    parse: parseKey,
    secret: true,
  },
};

/** What `--earth` sets unless the environment does: all that is free and needs no account. */
const EARTH = {
  SWATH_CATALOGS: 'earth-search,planetary-computer',
  SWATH_WEATHER_PROVIDERS: 'grid,open-meteo',
  SWATH_DEMO: 'off',
};

/** The environment of `swath serve --earth`. */
export function withEarth(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value !== '');
  return { ...EARTH, ...Object.fromEntries(set) };
}

/** The setting with the key that a store of a catalog needs; null if it is public, or has a key of its own. */
function keySettingOf({
  endpoint,
  requesterPays,
  credentials,
}: S3Buckets): 'awsKey' | 'copernicusKey' | null {
  if (credentials !== undefined) return null;
  if (endpoint === COPERNICUS_ENDPOINT) return 'copernicusKey';
  return requesterPays === true ? 'awsKey' : null;
}

/** Why the files of a catalog cannot be read, with the name of the setting that is missing. */
export function findCatalogKeyProblems(
  config: CatalogConfig & { readonly sources: Sources },
  /** Who wants the catalogs. */
  whoNames = 'SWATH_CATALOGS names',
): readonly string[] {
  const signed = (config.sources.network?.s3 ?? []).flatMap(({ buckets, credentials }) =>
    credentials === undefined ? [] : buckets,
  );
  return config.liveCatalogs.flatMap(({ name, sources }) => {
    const missing = new Set(
      (sources.s3 ?? []).flatMap((store) => {
        const key = keySettingOf(store);
        if (key === null || config[key] !== null) return [];
        // SWATH_SOURCES may have the keys.
        return store.buckets.every((bucket) => signed.includes(bucket))
          ? []
          : [catalogSettings[key].variable];
      }),
    );
    return [...missing].map(
      (variable) =>
        `${whoNames} ${name}, whose files need an account: set ${variable}=id:secret (docs/use/earth.md, "Accounts")`,
    );
  });
}

/** The settings with the keys in the stores of the catalogs, and the files of these among the sources. */
export function withCatalogSources<Config extends CatalogConfig & { readonly sources: Sources }>(
  config: Config,
): Config {
  if (config.liveCatalogs.length === 0) return config;
  const liveCatalogs = config.liveCatalogs.map((catalog) => ({
    ...catalog,
    sources: { ...catalog.sources, ...toStores(catalog.sources, config) },
  }));
  const network = [config.sources.network ?? {}, ...liveCatalogs.map(({ sources }) => sources)].reduce(
    joinSources,
  );
  return { ...config, liveCatalogs, sources: { ...config.sources, network } };
}

function toStores({ s3 }: NetworkSources, config: CatalogConfig): Pick<NetworkSources, 's3'> {
  if (s3 === undefined) return {};
  return {
    s3: s3.map((store) => {
      const key = keySettingOf(store);
      const credentials = key === null ? null : config[key];
      return credentials === null ? store : { ...store, credentials };
    }),
  };
}

/** What both allow; of two stores with one bucket, the first is used. */
function joinSources(one: NetworkSources, other: NetworkSources): NetworkSources {
  const allowHttp = one.allowHttp === true || other.allowHttp === true;
  const join = <Item>(first: readonly Item[] = [], second: readonly Item[] = []): readonly Item[] => [
    ...new Set([...first, ...second]),
  ];
  // Sources that name no ports mean the default ones.
  const ports =
    one.ports === undefined && other.ports === undefined
      ? {}
      : { ports: join(one.ports ?? toDefaultPorts(one), other.ports ?? toDefaultPorts(other)) };
  return {
    ...other,
    ...one,
    hosts: join(one.hosts, other.hosts),
    ...(allowHttp ? { allowHttp } : {}),
    ...ports,
    privateNetworks: join(one.privateNetworks, other.privateNetworks),
    s3: join(one.s3, other.s3),
    tokens: join(one.tokens, other.tokens),
  };
}

const toDefaultPorts = ({ allowHttp }: NetworkSources): readonly number[] =>
  allowHttp === true ? [443, 80] : [443];
