import type { IfdEntry } from '../tiff/directories/ifd-writer.ts';
import { asciiEntry } from '../tiff/directories/ifd-writer.ts';
import { FIELD, SUBFILE, TAG } from '../tiff/directories/tags.ts';
import { toTiepoints } from '../tiff/georeference/control-points.ts';
import type { GeoKeyTags } from '../tiff/georeference/geo-key-tags.ts';
import { toGeoKeys, toModelEntries } from '../tiff/georeference/georeference.ts';
import { toSinusoidalKeys } from '../tiff/georeference/sinusoidal-keys.ts';
import { toGdalMetadata } from '../tiff/samples/gdal-metadata.ts';
import { toNodataText } from '../tiff/samples/nodata.ts';
import { sampleFormatOf } from '../tiff/samples/sample-format.ts';
import type { CogLevel, CogPlan } from './cog-options.ts';

const PHOTOMETRIC = { gray: 1, rgb: 2 } as const;
const PLANAR = { pixel: 1, band: 2 } as const;
/** Values of ExtraSamples: anything, or opacity that is not multiplied into the colours. */
const EXTRA = { unspecified: 0, alpha: 2 } as const;

const short = (tag: number, ...values: number[]): IfdEntry => ({ tag, type: FIELD.short, values });
const long = (tag: number, value: number): IfdEntry => ({ tag, type: FIELD.long, values: [value] });
const doubles = (tag: number, values: number[]): IfdEntry => ({ tag, type: FIELD.double, values });

function extraSampleEntries({ bandCount, photometric, alpha }: CogPlan): IfdEntry[] {
  const extra = bandCount - (photometric === 'rgb' ? 3 : 1);
  if (extra === 0) return [];
  const kinds = Array.from({ length: extra }, (_, i) =>
    alpha && i === extra - 1 ? EXTRA.alpha : EXTRA.unspecified,
  );
  return [short(TAG.extraSamples, ...kinds)];
}

function sinusoidalEntries(radiusM: number): IfdEntry[] {
  const keys = toSinusoidalKeys(radiusM);
  return [short(TAG.geoKeyDirectory, ...keys.directory), doubles(TAG.geoDoubles, keys.doubles)];
}

function geoKeyEntries({ directory, doubles: numbers, ascii }: GeoKeyTags): IfdEntry[] {
  return [
    short(TAG.geoKeyDirectory, ...directory),
    ...(numbers.length === 0 ? [] : [doubles(TAG.geoDoubles, [...numbers])]),
    ...(ascii === '' ? [] : [asciiEntry(TAG.geoAscii, ascii)]),
  ];
}

/** Tags that only the full resolution carries: where it lies and what its bands mean. */
function mainEntries(plan: CogPlan): IfdEntry[] {
  const metadata = toGdalMetadata(plan.bands);
  return [
    ...(plan.transform === null ? [] : toModelEntries(plan.transform)),
    ...(plan.controlPoints.length === 0 ? [] : [doubles(TAG.modelTiepoint, toTiepoints(plan.controlPoints))]),
    ...(plan.epsg === null ? [] : [short(TAG.geoKeyDirectory, ...toGeoKeys(plan.epsg))]),
    ...(plan.sinusoidalRadiusM === null ? [] : sinusoidalEntries(plan.sinusoidalRadiusM)),
    ...(plan.geoKeys === null ? [] : geoKeyEntries(plan.geoKeys)),
    ...(metadata === null ? [] : [asciiEntry(TAG.gdalMetadata, metadata)]),
  ];
}

/** All tags of one level except the block index, in no order. */
export function toCogTags(plan: CogPlan, level: CogLevel): IfdEntry[] {
  const isMain = level === plan.levels[0];
  const perBand = (tag: number, value: number) =>
    short(tag, ...Array.from({ length: plan.bandCount }, () => value));
  const { bits, format } = sampleFormatOf(plan.type);
  return [
    long(TAG.newSubfileType, isMain ? 0 : SUBFILE.reduced),
    long(TAG.imageWidth, level.width),
    long(TAG.imageLength, level.height),
    perBand(TAG.bitsPerSample, bits),
    short(TAG.compression, plan.compressionTag),
    short(TAG.photometric, PHOTOMETRIC[plan.photometric]),
    short(TAG.samplesPerPixel, plan.bandCount),
    short(TAG.planarConfiguration, PLANAR[plan.interleave]),
    ...(plan.predictor === 1 ? [] : [short(TAG.predictor, plan.predictor)]),
    short(TAG.tileWidth, level.blockSize ?? plan.blockSize),
    short(TAG.tileLength, level.blockSize ?? plan.blockSize),
    ...extraSampleEntries(plan),
    perBand(TAG.sampleFormat, format),
    ...(isMain ? mainEntries(plan) : []),
    ...(plan.nodata === null ? [] : [asciiEntry(TAG.gdalNodata, toNodataText(plan.nodata))]),
  ];
}
