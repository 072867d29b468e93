import { sourceBroken } from '../../../errors.ts';
import type { LonLat } from '../../../geo/index.ts';
import type { XmlElement } from '../../../xml/index.ts';
import { childrenOf, elementAt, localName, parseXml, textAt } from '../../../xml/index.ts';
import { required, toNumber, toNumberWithin, toUtcTime } from '../../metadata/values.ts';

/** INPE's metadata of one band file of CBERS-4; all files of a scene agree except for the band. */
export interface CbersMetadata {
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
