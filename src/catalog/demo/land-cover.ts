/**
 * Puts the landscape together, layer over layer. The painters it calls take their place, their matter and the target
 * as four plain parameters, because they run for every pixel and an object for each call would cost more than the paint.
 */
import type { CloudSample } from './clouds.ts';
import { makeClouds } from './clouds.ts';
import type { Crop } from './crops.ts';
import { planCrop } from './crops.ts';
import { clamp, smoothStep } from './easing.ts';
import { makeFarmland } from './farmland.ts';
import { makeField } from './field.ts';
import { crop as cropFrame } from './frame.ts';
import { makeHydrology } from './hydrology.ts';
import { gradientNoise, random, valueNoise } from './noise.ts';
import type { Parcel } from './parcels.ts';
import { makeParcelFinder } from './parcels.ts';
import { makeStrokeIndex } from './polyline.ts';
import type { GroundSample } from './relief.ts';
import { hilliness, makeRelief } from './relief.ts';
import { makeRoads } from './roads.ts';
import type { Spectrum } from './spectra.ts';
import { bandCount, mixInto, spectra } from './spectra.ts';
import { makeStreams } from './streams.ts';
import { makeTown } from './town.ts';
import { paintBeach, paintLagoon, paintMarsh, paintRiver, paintSea } from './waterside.ts';
import type { WildCover } from './wildland.ts';
import { paintWildland } from './wildland.ts';

/** What covers most of a place. */
type Cover =
  | 'sea'
  | 'lagoon'
  | 'river'
  | 'beach'
  | 'marsh'
  | 'riparian'
  | 'road'
  | 'built-up'
  | WildCover
  | Crop;

/** The truth about one place: what is there, how it reflects, how it is lit and what is above it. */
export interface Surface {
  cover: Cover;
  readonly ground: GroundSample;
  /** Reflectance of the ground by band, flat and in full sun. */
  readonly reflectance: Spectrum;
  readonly cloud: CloudSample;
  /** Share of moist haze in the air above, 0 to 1. */
  haze: number;
}

/** The demo landscape. */
export interface Landscape {
  /** Writes the truth at a place in local metres into `out`, which callers reuse: there are millions of places. */
  sample(x: number, y: number, out: Surface): void;
  /** The truth at a place in UTM zone 31. */
  surfaceAt(easting: number, northing: number): Surface;
}

/** An empty surface for `Landscape.sample` to fill. */
export function makeSurface(): Surface {
  return {
    cover: 'sea',
    ground: { heightM: 0, slopeX: 0, slopeY: 0 },
    reflectance: new Float64Array(bandCount),
    cloud: { opacity: 0, brightness: 1, shadow: 0 },
    haze: 0,
  };
}

/** Builds the landscape: about a second of work, then about a microsecond a place. */
export function makeLandscape(): Landscape {
  const hydrology = makeHydrology();
  const relief = makeRelief(hydrology);
  const roads = makeStrokeIndex(makeRoads(hydrology, relief), 14);
  const streams = makeStrokeIndex(makeStreams(relief), 10);
  const findParcel = makeParcelFinder();
  const paintParcel = makeFarmland();
  const town = makeTown();
  const clouds = makeClouds();
  // Sea air: thicker to the east, in soft banks.
  const haze = makeField(
    120,
    (x, y) =>
      smoothStep(3000, -6500, hydrology.inlandM(x, y)) * (0.6 + 0.4 * gradientNoise(x / 4800, y / 3600, 143)),
  );

  // Neighbouring pixels mostly share a parcel: its plan is kept until the next one.
  let plannedId = -1;

  /** Whole parcels are tilled or left: more of them left the hillier it gets, and a few in the plain too. */
  const planParcel = (parcel: Parcel): Crop | null => {
    const hill = hilliness(parcel.centreX, parcel.centreY);
    if (random(parcel.id, 1, 142) <= 0.035 + hill * 2.1) return null;
    if (hill > 0.03) return planCrop(parcel, 'foothill');
    return planCrop(parcel, hydrology.isRiverside(parcel.centreX, parcel.centreY) ? 'riverside' : 'plain');
  };

  const paintLand = (x: number, y: number, { inlandM, out }: { inlandM: number; out: Surface }): Cover => {
    const { reflectance, ground } = out;
    const riverM = hydrology.riverEdgeM(x, y);
    const lagoonM = hydrology.lagoonEdgeM(x, y);
    let cover: Cover = paintCountry(x, y, out);
    const streamM = streams.edgeDistanceM(x, y);
    if (streamM < 9) {
      const brook = smoothStep(9, -3, streamM) * clamp(1.5 * valueNoise(x / 46, y / 46, 141) - 0.1, 0, 0.9);
      mixInto(reflectance, spectra.riparian, brook);
      if (brook > 0.5) cover = 'riparian';
    }
    if (lagoonM < 800 && ground.heightM < 12 && paintMarsh(x, y, lagoonM, reflectance) > 0.5) cover = 'marsh';
    const quarter = town.paint(x, y, reflectance);
    if (quarter !== 'none') cover = 'built-up';
    if (inlandM < 320 && paintBeach(x, y, inlandM, reflectance)) cover = 'beach';
    const bank = paintRiver(x, y, riverM, reflectance);
    if (bank !== 'land') cover = bank === 'water' ? 'river' : 'riparian';
    const lagoonShare = clamp(0.5 - lagoonM / 12, 0, 1);
    if (lagoonShare > 0) {
      if (lagoonShare === 1) paintLagoon(x, y, -lagoonM, reflectance);
      else mixInto(reflectance, spectra.lagoonWater, lagoonShare);
      if (lagoonShare > 0.5) cover = 'lagoon';
    }
    const road = clamp((5 - roads.edgeDistanceM(x, y)) / 10, 0, 1);
    mixInto(reflectance, spectra.road, road * 0.92);
    return road > 0.6 ? 'road' : cover;
  };

  const paintCountry = (x: number, y: number, { reflectance, ground }: Surface): Cover => {
    const parcel = findParcel(x, y);
    if (parcel.id !== plannedId) {
      plannedId = parcel.id;
      parcel.crop = planParcel(parcel);
    }
    if (parcel.crop === null) return paintWildland(x, y, ground, reflectance);
    paintParcel(x, y, parcel, reflectance);
    return parcel.crop;
  };

  const sample: Landscape['sample'] = (x, y, out) => {
    const inlandM = hydrology.inlandM(x, y);
    const { ground } = out;
    ground.heightM = 0;
    ground.slopeX = 0;
    ground.slopeY = 0;
    if (inlandM <= 0) {
      paintSea(x, y, -inlandM, out.reflectance);
      out.cover = 'sea';
    } else {
      relief.sample(x, y, ground);
      out.cover = paintLand(x, y, { inlandM, out });
    }
    clouds.sample(x, y, ground.heightM, out.cloud);
    out.haze = haze(x, y);
  };

  return {
    sample,
    surfaceAt(easting, northing) {
      const surface = makeSurface();
      sample(easting - cropFrame.west, cropFrame.north - northing, surface);
      return surface;
    },
  };
}
