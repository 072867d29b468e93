import { lapseCPerM } from '../climate/climate.ts';
import type { ClimateDay } from '../climate/weather.ts';
import type { Cover, Painted } from '../ground/ground.ts';
import { covers } from '../ground/ground.ts';
import { cos, exp } from '../numbers/steady-math.ts';
import { DAY_MS } from '../setting.ts';
import type { CloudPlanes } from './clouds.ts';
import type { ExposureRequest, SpectralBand } from './exposure.ts';

/** How much warmer than the air dry, bare ground of a cover gets under a sun straight above, in kelvin. */
const heating: Readonly<Record<Cover, number>> = {
  sea: 0,
  lake: 0,
  river: 0,
  beach: 19,
  marsh: 8,
  grass: 16,
  shrub: 13,
  'broadleaf-forest': 9,
  'conifer-forest': 7,
  rock: 22,
  snow: 2,
  'built-up': 20,
  road: 24,
  'bare-soil': 25,
  crop: 22,
  stubble: 24,
  burnt: 29,
  flood: 0,
};
const heatingOf = Float32Array.from(covers, (cover) => heating[cover]);

const zeroC = 273.15;
const yearDays = 365.2425;

/** Cirrus is as cold as the air at its height. */
const cirrusK = 228;

/** The state of ground and air that warmth comes from. */
export interface ThermalScene {
  readonly request: ExposureRequest;
  readonly painted: Painted;
  readonly clouds: CloudPlanes;
  readonly today: ClimateDay;
  /** Straight sun by pixel, relative to level ground without clouds. */
  readonly lit: Float32Array;
  /** Cosine of the sun's zenith angle; 0 at night. */
  readonly sunStrength: number;
  readonly solarHour: number;
  readonly cloudTopM: number;
  readonly vapour: number;
}

/** Temperature of the ground and of clouds above it, in kelvin; what a perfect thermometer would read. */
export function toSurfaceTemperature(scene: ThermalScene): Float32Array {
  const { request, painted, clouds, today, lit, sunStrength, solarHour, cloudTopM } = scene;
  const { heightM } = request.survey;
  const warmest = cos(((solarHour - 15) / 24) * 2 * Math.PI);
  const seaAirC = (today.minC + today.maxC) / 2 + ((today.maxC - today.minC) / 2) * warmest;
  const waters = waterTemperatures(request.atMs);
  const cloudK = seaAirC - cloudTopM * lapseCPerM + zeroC;
  const { cover, green, snow, water, moisture } = painted;
  const out = new Float32Array(heightM.length);
  for (let i = 0; i < out.length; i++) {
    const airC = seaAirC - heightM[i]! * lapseCPerM;
    const kind = cover[i]!;
    // Wet ground and leaves cool themselves by evaporation.
    const dryness = Math.max(0.45, 1.2 - 1.6 * moisture[i]!) * (1 - 0.62 * green[i]!);
    let celsius = airC + heatingOf[kind]! * dryness * Math.min(1.1, sunStrength * lit[i]!) - 1;
    const frozen = snow[i]!;
    if (frozen > 0) celsius += (Math.min(-0.5, airC - 1) - celsius) * frozen;
    const wet = water[i]!;
    if (wet > 0) celsius += (waters[kind]! - celsius) * wet;
    out[i] = celsius + zeroC;
  }
  const { opacity, brightness, veil } = clouds;
  if (veil !== undefined) {
    for (let i = 0; i < out.length; i++) out[i] = out[i]! + (cirrusK - out[i]!) * veil[i]! * 0.65;
  }
  if (opacity !== undefined && brightness !== undefined) {
    for (let i = 0; i < out.length; i++) {
      // Thick clouds reach higher, where it is colder.
      if (opacity[i]! > 0) out[i] = out[i]! + (cloudK - 14 * (brightness[i]! - 0.85) - out[i]!) * opacity[i]!;
    }
  }
  return out;
}

/** Brightness temperature in a thermal band: the ground shines a little less than a black body, and vapour cools it. */
export function toBrightness(
  surfaceK: Float32Array,
  band: SpectralBand,
  { request, painted, clouds, vapour }: ThermalScene,
): Float32Array {
  // Emissivities at 10.9 and at 12 µm; other bands lie on the straight line through both.
  const along = (band.centreNm - 10_900) / 1100;
  const bare = 0.966 + 0.009 * along;
  const leafy = 0.984 + 0.002 * along;
  const wet = 0.991 - 0.005 * along;
  const icy = 0.988 - 0.014 * along;
  const absorption = vapour * (0.035 + 0.03 * along);
  const { heightM } = request.survey;
  const { green, snow, water } = painted;
  // Vapour thins out with height; a table saves an exponential a pixel.
  const thinning = new Float32Array(64).map((_, step) => exp(-(step * 64) / 2000));
  const out = new Float32Array(surfaceK.length);
  for (let i = 0; i < out.length; i++) {
    const kelvin = surfaceK[i]!;
    const land = bare + (leafy - bare) * green[i]!;
    let emissivity = land + (icy - land) * snow[i]!;
    emissivity += (wet - emissivity) * water[i]!;
    // d ln(radiance) / dT at 11 µm is about 15 per mille a kelvin; two fifths of the loss is reflected sky.
    const dimmer = (1 - emissivity) * 40;
    const step = Math.min(63, (heightM[i]! / 64) | 0);
    // The vapour shines itself, as warm as the air at 1.5 km.
    const cooled = absorption * thinning[step]! * (kelvin - 272);
    const seen = 1 - (clouds.opacity?.[i] ?? 0);
    out[i] = kelvin - (dimmer + cooled) * seen;
  }
  return out;
}

/** Temperature of open water by cover: seas change little over the year, lakes more; both follow the sun late. */
function waterTemperatures(atMs: number): Float32Array {
  const day = atMs / DAY_MS;
  const season = cos(((day - 225) / yearDays) * 2 * Math.PI);
  const byCover: Partial<Record<Cover, number>> = {
    sea: 10.6 + 2.9 * season,
    lake: 12 + 7.5 * season,
    river: 9 + 5 * season,
  };
  return Float32Array.from(covers, (cover) => byCover[cover] ?? 11 + 5 * season);
}
