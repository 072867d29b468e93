import type { LonLat } from '../../geo/index.ts';
import type { FieldsOf, Sensor } from '../../sensors/index.ts';
import { parseViewId } from '../../sensors/index.ts';
import type { XmlElement } from '../../xml/index.ts';
import { childrenOf, elementAt, localName, parseXml, textAt } from '../../xml/index.ts';
import { sourceBroken } from '../errors.ts';
import type { Product } from '../folder/find-products.ts';
import { required, toNumber, toNumberWithin, toUtcTime } from '../metadata-values.ts';
import { findInNames, thumbnailOf, timeOnDay, toCommonFacts } from '../stac/item.ts';
import type { DescribeItem, Family, ProductTools, SceneFacts } from './family.ts';
import { DEFAULT_FACTS, toFields } from './family.ts';

/** INPE's metadata of one band file of CBERS-4; all files of a scene agree except for the band. */
interface CbersMetadata {
  /** `MUX`, `AWFI`, `PAN5M`, `PAN10M`. */
  readonly camera: string;
  readonly level: number;
  readonly path: number;
  readonly row: number;
  readonly acquiredAt: string;
  readonly processedAt: string | null;
  readonly sunElevationDeg: number | null;
  readonly sunAzimuthDeg: number | null;
  /** Corners of the measured area, from the upper left clockwise; null if one is missing. */
  readonly corners: readonly LonLat[] | null;
  /** Radiance per stored unit, by band number (`7`); may be empty. */
  readonly gains: Readonly<Record<string, number>>;
}

/** Reads `CBERS_4_MUX_…_BAND6.xml`. */
export function parseCbersXml(text: string, what: string): CbersMetadata {
  const root = parseXml(text, what);
  const image = elementAt(root, 'image');
  if (localName(root) !== 'prdf' || image === null) {
    throw sourceBroken('metadata-wrong-kind', `The file ${what} does not describe an image of CBERS-4.`);
  }
  const whole = (name: string, range: readonly [number, number]) =>
    required(toNumberWithin(textAt(image, name), range), name, what);
  const time = textAt(image, 'timeStamp/center') ?? textAt(root, 'viewing/center');
  return {
    camera: required(textAt(root, 'satellite/instrument'), 'instrument', what),
    level: whole('level', [0, 9]),
    path: whole('path', [1, 999]),
    row: whole('row', [1, 999]),
    acquiredAt: required(toUtcTime(time), 'timeStamp', what),
    processedAt: toUtcTime(textAt(image, 'processingTime')),
    sunElevationDeg: toNumberWithin(textAt(image, 'sunPosition/elevation'), [-90, 90]),
    sunAzimuthDeg: toNumberWithin(textAt(image, 'sunPosition/sunAzimuth'), [0, 360]),
    corners: toCorners(image),
    gains: toGains(image),
  };
}

function toCorners(image: XmlElement): readonly LonLat[] | null {
  const corners = ['UL', 'UR', 'LR', 'LL'].flatMap((name): LonLat[] => {
    const lon = toNumberWithin(textAt(image, `imageData/${name}/longitude`), [-180, 180]);
    const lat = toNumberWithin(textAt(image, `imageData/${name}/latitude`), [-90, 90]);
    return lon === null || lat === null ? [] : [[lon, lat]];
  });
  return corners.length === 4 ? corners : null;
}

function toGains(image: XmlElement): Record<string, number> {
  const list = elementAt(image, 'absoluteCalibrationCoefficient');
  return Object.fromEntries(
    (list === null ? [] : childrenOf(list, 'band')).flatMap((band) => {
      const gain = toNumber(band.text);
      const name = band.attributes.name;
      return name === undefined || gain === null || gain <= 0 ? [] : [[name, gain]];
    }),
  );
}

interface Camera
  extends Pick<SceneFacts, 'acquiredAt' | 'sunElevationDeg' | 'sunAzimuthDeg'>,
    Pick<FieldsOf<'cbers4mux'>, 'downloadUrl' | 'thumbnail'> {
  readonly sensor: Sensor;
  /** `CBERS_4_MUX_20160518_163_128_L4`. */
  readonly name: string;
  /** By the number of the band. */
  readonly gains: CbersMetadata['gains'];
}

function toFacts(camera: Camera): SceneFacts {
  const { sensor, name, acquiredAt, sunElevationDeg, sunAzimuthDeg, gains } = camera;
  const { viewId, sceneName, parts } = parseViewId(`${sensor.abbreviation}/${name}`);
  return {
    ...DEFAULT_FACTS,
    sensor,
    viewId,
    sceneId: sceneName,
    acquiredAt,
    sunElevationDeg,
    sunAzimuthDeg,
    fields: toFields<'cbers4mux'>({
      satelliteName: 'CBERS-4',
      sensor: parts.camera,
      processingLevel: Number(parts.level?.slice(1)),
      path: Number(parts.path),
      row: Number(parts.row),
      sunElevation: sunElevationDeg,
      sunAzimuth: sunAzimuthDeg,
      downloadUrl: camera.downloadUrl,
      thumbnail: camera.thumbnail,
      onAmazon: true,
    }),
    calibrationOf: ({ band }) => {
      const mult = gains[band.name.replace('BAND', '')];
      return mult === undefined ? null : { radiance: { mult, add: 0 } };
    },
  };
}

/** Describes a product by the XML of one of its bands (they agree), or by its name if there is none. */
async function describeProduct(product: Product, { readText }: ProductTools): Promise<SceneFacts> {
  const { sensor, id, files } = product;
  const { sceneName: name, date } = parseViewId(`${sensor.abbreviation}/${id}`);
  const [file] = files.get('metadata') ?? [];
  const metadata = file === undefined ? null : parseCbersXml(await readText(file), file.parts.at(-1) ?? '');
  const { corners = null } = metadata ?? {};
  const facts = toFacts({
    sensor,
    name,
    acquiredAt: metadata?.acquiredAt ?? `${date}T00:00:00.000Z`,
    sunElevationDeg: metadata?.sunElevationDeg ?? null,
    sunAzimuthDeg: metadata?.sunAzimuthDeg ?? null,
    gains: metadata?.gains ?? {},
    ...toBucketFields(product, name),
  });
  return {
    ...facts,
    isTilted: true,
    processed: metadata?.processedAt ?? '',
    stated:
      corners === null
        ? null
        : { area: { type: 'Polygon', coordinates: [[...corners, corners[0]!]] }, epsg: 4326 },
  };
}

/**
 * The path of a product in the provider's bucket, if its folders here are the same. Clients prefix it with the name of
 * the bucket; a second, public bucket has the thumbnail under the same path.
 */
function toBucketFields(
  { folder }: Product,
  name: string,
): Pick<FieldsOf<'cbers4mux'>, 'downloadUrl' | 'thumbnail'> {
  const [, , camera, , path, row] = name.split('_');
  const bucketPath = `CBERS4/${camera}/${path}/${row}/${name}`;
  if (folder.slice(-5).join('/') !== bucketPath) return {};
  const picture = `${name.replace(/_L\d$/, '')}_small.jpeg`;
  return {
    downloadUrl: bucketPath,
    thumbnail: `https://s3.amazonaws.com/cbers-meta-pds/${bucketPath}/${picture}`,
  };
}

const BUCKET_PATH =
  /CBERS4\/(?:MUX|AWFI|PAN10M|PAN5M)\/\d{3}\/\d{3}\/CBERS_4_[A-Z0-9]{3,6}_[\d_]{16}_L[234](?=\/)/;
const NAME = /CBERS_4_(?:MUX|AWFI|PAN10M|PAN5M)_\d{8}_\d{3}_\d{3}_L[234]/;

/** Describes an item by its name; gains come from the XML of a band, if it can be read. */
const describeItem: DescribeItem = async (item, sensors, { readText }) => {
  const name = findInNames(item, NAME)?.[0];
  const camera = name?.split('_')[2];
  const sensor = sensors.find(({ dataset }) => dataset === `cbers4${camera?.toLowerCase()}`);
  if (name === undefined || sensor === undefined) {
    throw sourceBroken('stac-incomplete', 'Neither its id nor its files have the name of a CBERS-4 product.');
  }
  const xml = item.assets.find(({ key, type }) => key === 'metadata' && type.endsWith('/xml'));
  const text = xml === undefined ? null : await readText(xml);
  const common = toCommonFacts(item);
  const facts = toFacts({
    sensor,
    name,
    acquiredAt: timeOnDay(item, parseViewId(`${sensor.abbreviation}/${name}`).date),
    sunElevationDeg: common.sunElevationDeg,
    sunAzimuthDeg: common.sunAzimuthDeg,
    gains: text === null ? {} : parseCbersXml(text, 'metadata').gains,
    downloadUrl: findInNames(item, BUCKET_PATH)?.[0],
    thumbnail: thumbnailOf(item),
  });
  return { ...facts, ...common };
};

/** CBERS-4: an image and an XML file per band, in tilted frames. */
export const cbers4: Family = {
  name: 'cbers-4',
  describeProduct,
  items: {
    accepted: [
      {
        collections: ['CBERS4MUX', 'CBERS4AWFI', 'CBERS4PAN10M', 'CBERS4PAN5M', 'CBERS4-MUX', 'CBERS4-AWFI'],
        telltale: { id: /^CBERS_4_(?:MUX|AWFI|PAN10M|PAN5M)_\d{8}_/ },
      },
    ],
    bandSpellings: [{ pattern: /(?:^|_)B(?:AND)?([1-8]|1[3-6])$/, band: 'BAND$1' }],
    describe: describeItem,
  },
};
