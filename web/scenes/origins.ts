/** Where scenes come from: live catalogs, the demo world, or what was ingested. */
import { asRecord, asText, isTexts } from './read-json.ts';

/** A public catalog that searches ask. */
export interface ViewerCatalog {
  readonly name: string;
  /** For people. */
  readonly title: string;
  readonly datasets: readonly string[];
  /** Who must be named where its pictures are shown. */
  readonly attribution: string | null;
  /** Origins of its own pictures that the page may show; `https://*.example.org` for all hosts below a name. */
  readonly pictureOrigins: readonly string[];
}

/** Where scenes come from besides an ingest. */
export interface Origins {
  readonly catalogs: readonly ViewerCatalog[];
  readonly hasDemo: boolean;
}

/** Scenes that were ingested, and nothing else. */
export const NO_ORIGINS: Origins = { catalogs: [], hasDemo: false };

/** Reads `{catalogs: […], demo}`; a catalog that cannot be read is left out. */
export const parseOrigins = (body: unknown): Origins => {
  const { catalogs, demo } = asRecord(body);
  const list: readonly unknown[] = Array.isArray(catalogs) ? catalogs : [];
  return {
    catalogs: list.flatMap((value) => {
      const { name, title, datasets, attribution, picture_origins: origins } = asRecord(value);
      const known = asText(name);
      if (known === null || !isTexts(datasets)) return [];
      return [
        {
          name: known,
          title: asText(title) ?? known,
          datasets,
          attribution: asText(attribution),
          pictureOrigins: isTexts(origins) ? origins : [],
        },
      ];
    }),
    hasDemo: demo === true,
  };
};

/** The catalog that is asked for a dataset; `null` for none. */
export const catalogOf = ({ catalogs }: Origins, dataset: string): ViewerCatalog | null =>
  catalogs.find(({ datasets }) => datasets.includes(dataset)) ?? null;

const isOf = (origin: string, pattern: string): boolean => {
  const [before, below] = pattern.split('*.');
  if (below === undefined) return origin === pattern;
  return origin.startsWith(before ?? '') && origin.endsWith(`.${below}`);
};

/** Whether the page may show the picture at an address, rather than be kept from it by its policy. */
export const mayShowPicture = ({ catalogs }: Origins, address: string): boolean => {
  if (!URL.canParse(address)) return false;
  const { origin } = new URL(address);
  return catalogs.some(({ pictureOrigins }) => pictureOrigins.some((pattern) => isOf(origin, pattern)));
};
