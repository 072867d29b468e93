/** What catalogs say of a dataset beyond its bands: who made the data, under which terms, with what. */

/** A provider, in the words of STAC. */
interface Provider {
  readonly name: string;
  readonly roles: readonly ('producer' | 'licensor' | 'processor' | 'host')[];
  readonly url: string;
}

/** What is true for all datasets of a family. */
interface FamilyFacts {
  readonly constellation: string | null;
  readonly instruments: readonly string[];
  readonly providers: readonly Provider[];
  /** An SPDX identifier, or `other`. */
  readonly license: string;
  /** Where the terms can be read. */
  readonly terms: string | null;
  readonly keywords: readonly string[];
  /** Of radar; absent for others. */
  readonly radar?: { readonly frequencyBand: string; readonly productType: string };
}

const esa: Provider = {
  name: 'European Space Agency',
  roles: ['producer', 'licensor'],
  url: 'https://sentinels.copernicus.eu',
};
const usgs: Provider = {
  name: 'United States Geological Survey',
  roles: ['producer', 'licensor'],
  url: 'https://www.usgs.gov/landsat-missions',
};
const COPERNICUS_TERMS = 'https://sentinels.copernicus.eu/documents/247904/690755/Sentinel_Data_Legal_Notice';

const families: Readonly<Record<string, FamilyFacts>> = {
  'sentinel-1': {
    constellation: 'sentinel-1',
    instruments: ['c-sar'],
    providers: [esa],
    license: 'other',
    terms: COPERNICUS_TERMS,
    keywords: ['copernicus', 'radar', 'grd'],
    radar: { frequencyBand: 'C', productType: 'GRD' },
  },
  'sentinel-2': {
    constellation: 'sentinel-2',
    instruments: ['msi'],
    providers: [esa],
    license: 'other',
    terms: COPERNICUS_TERMS,
    keywords: ['copernicus', 'optical', 'reflectance'],
  },
  landsat: {
    constellation: 'landsat',
    instruments: [],
    providers: [usgs],
    license: 'other',
    terms: 'https://www.usgs.gov/centers/eros/data-citation',
    keywords: ['usgs', 'optical', 'reflectance'],
  },
  modis: {
    constellation: null,
    instruments: ['modis'],
    providers: [{ name: 'NASA LP DAAC', roles: ['producer', 'licensor'], url: 'https://lpdaac.usgs.gov' }],
    license: 'other',
    terms: 'https://lpdaac.usgs.gov/data/data-citation-and-policies/',
    keywords: ['nasa', 'optical', 'reflectance'],
  },
  naip: {
    constellation: null,
    instruments: [],
    providers: [
      {
        name: 'USDA Farm Production and Conservation Business Center',
        roles: ['producer', 'licensor'],
        url: 'https://naip-usdaonline.hub.arcgis.com',
      },
    ],
    license: 'other',
    terms: 'https://www.fsa.usda.gov/help/policies-and-links',
    keywords: ['usda', 'aerial', 'optical'],
  },
  'cbers-4': {
    constellation: 'cbers',
    instruments: [],
    providers: [
      {
        name: 'Instituto Nacional de Pesquisas Espaciais',
        roles: ['producer', 'licensor'],
        url: 'http://www.cbers.inpe.br',
      },
    ],
    license: 'CC-BY-SA-3.0',
    terms: 'https://creativecommons.org/licenses/by-sa/3.0/',
    keywords: ['inpe', 'optical'],
  },
  planetscope: {
    constellation: 'planetscope',
    instruments: [],
    providers: [{ name: 'Planet Labs PBC', roles: ['producer', 'licensor'], url: 'https://www.planet.com' }],
    license: 'other',
    terms: 'https://www.planet.com/terms-of-use/',
    keywords: ['planet', 'optical'],
  },
};

/** What is said of a family that nobody has described here. */
const unknownFamily: FamilyFacts = {
  constellation: null,
  instruments: [],
  providers: [],
  license: 'other',
  terms: null,
  keywords: [],
};

/** Instruments of datasets whose family has several. */
const instruments: Readonly<Record<string, readonly string[]>> = {
  landsat4mss: ['mss'],
  landsat5mss: ['mss'],
  landsat4tm: ['tm'],
  landsat5tm: ['tm'],
  landsat7: ['etm+'],
  landsat8: ['oli', 'tirs'],
  landsat9: ['oli', 'tirs'],
  cbers4mux: ['mux'],
  cbers4awfi: ['awfi'],
  cbers4pan10m: ['pan10m'],
  cbers4pan5m: ['pan5m'],
};

/** The facts of one dataset. */
export interface DatasetFacts extends FamilyFacts {
  /** Metres of its finest pixels. */
  readonly gsd: number;
}

/** What facts are found by. */
interface DescribedSensor {
  readonly dataset: string;
  readonly family: string;
  readonly bands: readonly { readonly resolutionM: number }[];
}

/** The facts of a dataset. */
export function toDatasetFacts({ dataset, family: name, bands }: DescribedSensor): DatasetFacts {
  const family = families[name] ?? unknownFamily;
  return {
    ...family,
    instruments: instruments[dataset] ?? family.instruments,
    gsd: Math.min(...bands.map(({ resolutionM }) => resolutionM)),
  };
}
