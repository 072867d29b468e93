import type { Sensor } from '../../sensors/index.ts';
import { formatViewId } from '../../sensors/index.ts';
import {
  childrenOf,
  descendantsOf,
  localName,
  MAX_METADATA_BYTES,
  parseXml,
  textAt,
} from '../../xml/index.ts';
import { sourceBroken } from '../errors.ts';
import type { Product } from '../folder/find-products.ts';
import type { ReadText } from '../read-files.ts';
import { findInNames, thumbnailOf, timeOnDay, toCommonFacts, toText } from '../stac/item.ts';
import type { DescribeItem, Family, ProductTools, SceneFacts } from './family.ts';
import { DEFAULT_FACTS, toFields } from './family.ts';

/** The metadata file of a NAIP image. */
interface NaipMetadata {
  /** Two lower-case letters; null if unknown. */
  readonly state: string | null;
}

const STATE = /^[A-Z]{2}$/;

/**
 * Parses the metadata of a NAIP image in any format of its history: FGDC as text, FGDC as XML, ISO 19115 as XML. The
 * state is the first place keyword of two letters.
 */
export function parseNaipMetadata(text: string, what: string): NaipMetadata {
  const keywords = text.trimStart().startsWith('<')
    ? findPlacesInXml(text, what)
    : text.length > MAX_METADATA_BYTES
      ? []
      : [...text.matchAll(/^[ \t]*Place_Keyword:[ \t]*(\S[^\r\n]*)$/gm)].map(([, keyword = '']) =>
          keyword.trim(),
        );
  return { state: keywords.find((keyword) => STATE.test(keyword))?.toLowerCase() ?? null };
}

function findPlacesInXml(text: string, what: string): string[] {
  const root = parseXml(text, what);
  if (localName(root) === 'metadata')
    return descendantsOf(root, 'placekey').map(({ text: keyword }) => keyword.trim());
  return descendantsOf(root, 'MD_Keywords')
    .filter((list) => textAt(list, 'type/MD_KeywordTypeCode') === 'place')
    .flatMap((list) => childrenOf(list, 'keyword').map((keyword) => keyword.text.trim()));
}

/** The folders of an image in the provider's bucket, outermost first; view id and `awsPath` consist of them. */
interface Folders {
  readonly state: string;
  readonly year: string;
  readonly resolution: string;
  readonly samples: string;
  readonly quad: string;
}

interface Image {
  readonly sensor: Sensor;
  /** `m_3008501_ne_16_1_20151014`. */
  readonly scene: string;
  readonly folders: Folders;
  readonly acquiredAt: string;
  readonly thumbnail?: string | null;
}

function toFacts({ sensor, scene, folders, acquiredAt, thumbnail }: Image): SceneFacts {
  const { state, year, resolution, samples, quad } = folders;
  return {
    ...DEFAULT_FACTS,
    sensor,
    viewId: formatViewId(sensor, { ...folders, scene }),
    sceneId: scene,
    acquiredAt,
    fields: toFields<'naip'>({
      satelliteName: 'NAIP',
      awsPath: [state, year, resolution, samples, quad].join('/'),
      thumbnail,
      onAmazon: true,
    }),
  };
}

const NAME = /^m_(\d{5})\d{2}_[a-z]{2}_\d{2}_(h|\d{1,3})_(\d{4})(\d{2})(\d{2})/;

/** Describes an image by its folders, if they are those of the bucket, or by its name and metadata. */
async function describeProduct(
  product: Product,
  { readText, countBands }: ProductTools,
): Promise<SceneFacts> {
  const { sensor, id, folder, bands } = product;
  const [, quad = '', resolution = '', year = '', month = '', day = ''] = NAME.exec(id ?? '') ?? [];
  const [state = '', folderYear = '', folderResolution = '', samples = '', folderQuad] = folder.slice(-5);
  const isBucket = folderQuad === quad && /^[a-z]{2}$/.test(state) && /^rgb(ir)?$/.test(samples);
  const folders = isBucket
    ? { state, year: folderYear, resolution: folderResolution, samples, quad }
    : {
        state: await readState(product, readText),
        year,
        resolution: toResolution(resolution),
        samples: (await countBands(bands.get('R')!.file)) > 3 ? 'rgbir' : 'rgb',
        quad,
      };
  return toFacts({ sensor, scene: id ?? '', folders, acquiredAt: toMidnight(year, month, day) });
}

const toMidnight = (year: string, month: string, day: string): string =>
  `${year}-${month}-${day}T00:00:00.000Z`;

/** `1`, `060` and `h`: metres, centimetres, half a metre. */
function toResolution(text: string): string {
  if (text === 'h') return '50cm';
  return text.length === 1 ? `${text}m` : `${Number(text)}cm`;
}

async function readState({ files, id }: Product, readText: ReadText): Promise<string> {
  const [file] = files.get('metadata') ?? [];
  const state =
    file === undefined ? null : parseNaipMetadata(await readText(file), file.parts.at(-1) ?? '').state;
  if (state === null) {
    throw sourceBroken(
      'state-unknown',
      `The state of ${id} is unknown: neither its folders nor a metadata file name it.`,
    );
  }
  return state;
}

const FILE = /(m_(\d{5})\d{2}_[a-z]{2}_\d{2}_(h|\d{1,3})_(\d{4})(\d{2})(\d{2})(?:_\d{8})?)\.tif/;
/** Folders of Amazon's buckets, one of which appends `_cog` to a name. */
const FOLDERS = /([a-z]{2})\/(\d{4})\/([0-9.]+c?m)\/(rgb|rgbir)(?:_cog)?\/\d{5}\/m_/;

/** Describes an item by its file's folders, or by its state and year and the file's name. */
const describeItem: DescribeItem = async (item, [sensor]) => {
  const { properties, assets } = item;
  const [, scene, quad = '', resolution = '', flownYear = '', month = '', day = ''] =
    findInNames(item, FILE) ?? [];
  const [, folderState, folderYear, folderResolution, folderSamples] = findInNames(item, FOLDERS) ?? [];
  const state = folderState ?? toText(properties['naip:state'])?.toLowerCase();
  if (scene === undefined || state === undefined) {
    throw sourceBroken('stac-incomplete', 'It names neither the state nor the image.');
  }
  const hasNir = assets.some(({ bands }) => bands.some(({ commonName }) => commonName === 'nir'));
  const folders = {
    state,
    year: folderYear ?? toText(properties['naip:year']) ?? flownYear,
    resolution: folderResolution ?? toResolution(resolution),
    samples: folderSamples ?? (hasNir ? 'rgbir' : 'rgb'),
    quad,
  };
  const acquiredAt = timeOnDay(item, `${flownYear}-${month}-${day}`);
  return {
    ...toFacts({ sensor, scene, folders, acquiredAt, thumbnail: thumbnailOf(item) }),
    ...toCommonFacts(item),
  };
};

/** NAIP: aerial images of several bands in one file. */
export const naip: Family = {
  name: 'naip',
  describeProduct,
  items: {
    accepted: [{ collections: ['naip'], telltale: { property: 'naip:state' } }],
    bandSpellings: [],
    bandsInImage: ['R', 'G', 'B', 'N'],
    describe: describeItem,
  },
};
