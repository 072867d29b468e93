import { sourceBroken } from '../../../errors.ts';
import type { KnownPlace } from '../../../proj/index.ts';
import { parseViewId } from '../../../sensors/index.ts';
import { toFields } from '../../families/scene-facts.ts';
import { parseSentinel1Annotation } from '../../families/sentinel1/annotation.ts';
import type { Sentinel1Calibration } from '../../families/sentinel1/calibration.ts';
import { parseSentinel1Calibration } from '../../families/sentinel1/calibration.ts';
import type { NoiseOrNote } from '../../families/sentinel1/radar-bands.ts';
import { toRadarBands, tryNoise } from '../../families/sentinel1/radar-bands.ts';
import type { StacItem } from '../../item/item.ts';
import { toText, toTime, toWhole } from '../../item/json.ts';
import { thumbnailOf } from '../../item/thumbnail.ts';
import type { Describe, DescribeTools } from './item-facts.ts';
import { findInNames, NOTHING_SPECIAL, timeOnDay, toCommonFacts } from './item-facts.ts';

const NAME =
  /S1[A-D]_(?:IW|EW|S[1-6])_GRD[FHM]_1S[SD][HV]_\d{8}T\d{6}_\d{8}T\d{6}_\d{6}_[0-9A-F]{6}(?:_[0-9A-F]{4})?/;

/**
 * Describes an item of Sentinel-1 GRD. Its images lie askew, which the projection extension has no words for: their files
 * or annotations have to be read.
 */
export const describeSentinel1: Describe = async (item, { sensors }, { readText }) => {
  const sensor = sensors[0]!;
  const { properties, assets } = item;
  const stated = toText(properties['s1:product_identifier']) ?? toText(properties.title) ?? '';
  const names = [stated, item.id, ...assets.flatMap(({ hrefs }) => hrefs)].flatMap(
    (text) => NAME.exec(text)?.[0] ?? [],
  );
  // The whole name, with its checksum, stands in some of the places only.
  const name = names.toSorted((a, b) => b.length - a.length)[0];
  if (name === undefined)
    throw sourceBroken('stac-incomplete', 'It has no name of a product of Sentinel-1 GRD.');
  const view = parseViewId(`${sensor.abbreviation}/${name}`);
  const texts = await readTexts(item, readText);
  const started = toTime(properties.start_datetime);
  return {
    ...NOTHING_SPECIAL,
    ...toCommonFacts(item),
    sensor,
    viewId: view.viewId,
    sceneId: view.sceneName,
    acquiredAt: started?.slice(0, 10) === view.date ? started : timeOnDay(item, view.date),
    processed: toTime(properties['s1:processing_datetime']) ?? '',
    fields: toFields(sensor, {
      missionId: view.parts.mission,
      satelliteName: view.parts.mission?.replace('S1', 'Sentinel-1'),
      absoluteOrbitNumber: toWhole(properties['sat:absolute_orbit']) ?? Number(view.parts.orbit),
      passDirection: toText(properties['sat:orbit_state'])?.toUpperCase(),
      mode: view.parts.mode,
      // 1SDV: level 1, standard, dual, vertical
      polarization: view.parts.polarization?.slice(2),
      awsPath: findInNames(item, /GRD\/\d{4}\/\d{1,2}\/\d{1,2}\/\w{2}\/\w{2}\/S1[A-D]_\w+/)?.[0],
      thumbnail: thumbnailOf(item),
      onAmazon: true,
    }),
    detailsOf: (bands) => {
      const known = texts.bands.filter(([band]) => bands.has(band));
      const calibration = { earthSunDistanceAu: null, bands: Object.fromEntries(known) };
      return { calibration: known.length === 0 ? null : calibration, cloudMask: null };
    },
    placementOf: (band) => {
      const places = texts.grids.get(band);
      return places === undefined ? undefined : { epsg: 4326, places };
    },
    isPlacedByFile: true,
    notes: texts.notes,
  };
};

/** Annotations, calibrations and noise, by the names that stactools gives them and the catalogs have kept. */
async function readTexts({ assets }: StacItem, readText: DescribeTools['readText']) {
  const grids = new Map<string, readonly KnownPlace[]>();
  const calibrations: Sentinel1Calibration[] = [];
  const noises: NoiseOrNote[] = [];
  for (const asset of assets) {
    const [, what] = /^schema-(product|calibration|noise)-(?:vv|vh|hh|hv)$/.exec(asset.key) ?? [];
    // Some catalogs call a report about radio interference a product.
    if (what === undefined || asset.hrefs[0]!.includes('/rfi/')) continue;
    const text = await readText(asset);
    if (text === null) continue;
    if (what === 'product') {
      const { polarisation, grid } = parseSentinel1Annotation(text, asset.key);
      grids.set(
        polarisation,
        // It counts from the centre of pixels; control points, from the corner of the first one.
        grid.map(({ line, pixel, position: [x, y] }) => ({ column: pixel + 0.5, row: line + 0.5, x, y })),
      );
    } else if (what === 'calibration') calibrations.push(parseSentinel1Calibration(text, asset.key));
    else noises.push(tryNoise(text, asset.key));
  }
  return { grids, ...toRadarBands(calibrations, noises) };
}
