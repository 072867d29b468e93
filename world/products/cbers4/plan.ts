import { internal } from '../../../src/errors.ts';
import { makeProjection } from '../../../src/proj/index.ts';
import type { SkyPlan, SpectralBand } from '../../light/exposure.ts';
import { epsg, frame } from '../../setting.ts';
import type { LocalGrid, LocalWindow } from '../local-window.ts';
import { toLocalGrid } from '../local-window.ts';
import { toReflectiveBands } from '../reflective-bands.ts';
import type { TiltedBox } from '../tilted-box.ts';
import { toTiltedBox } from '../tilted-box.ts';

/** One scene of CBERS-4. */
export interface Cbers4Plan {
  readonly camera: Cbers4Camera;
  /** Milliseconds since 1970, of the middle of the scene: the satellite passes at 10:30 by the sun. */
  readonly atMs: number;
  /** The image; the scene stands aslant in it. */
  readonly window: LocalWindow;
  /** Size of a pixel; null for that of the camera (20, 64, 10 or 5 m), more to make it coarser. */
  readonly pixelM: number | null;
  readonly sky: SkyPlan;
  readonly seed: number;
}

/** What a plan comes to. */
export interface Cbers4Scene {
  readonly plan: Cbers4Plan;
  readonly traits: CameraTraits;
  readonly grid: LocalGrid;
  readonly box: TiltedBox;
  readonly path: number;
  readonly row: number;
  /** `CBERS_4_MUX_20160518_163_128_L4`. */
  readonly name: string;
}

/** South by west: at 48 degrees north the track on the turning earth runs 15 degrees off the meridian. */
const HEADING_DEG = 195;

/** Names a scene and finds its pixels. */
export function toCbers4Scene(plan: Cbers4Plan): Cbers4Scene {
  const { camera, atMs, window } = plan;
  const traits = toCameraTraits(camera);
  const grid = toLocalGrid(window, plan.pixelM ?? traits.resolutionM);
  const { pixelM, width, height } = grid;
  const box = toTiltedBox({ ...window, widthM: width * pixelM, heightM: height * pixelM }, HEADING_DEG);
  const { path, row } = findPathRow(box.middleX, box.middleY);
  const day = new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '');
  const digits = (number: number) => String(number).padStart(3, '0');
  return {
    plan,
    traits,
    grid,
    box,
    path,
    row,
    name: `CBERS_4_${camera}_${day}_${digits(path)}_${digits(row)}_L4`,
  };
}

/**
 * The nearest scene of the satellite's reference grid. Scene 219/050 has its middle at 44.62 N 92.19 W; 373 paths lie
 * around the Earth, counted westwards, and rows 0.888 degrees apart along tracks that lead east as they lead north.
 */
function findPathRow(x: number, y: number): { path: number; row: number } {
  const [lon, lat] = makeProjection(epsg, 4326).forward(frame.west + x, frame.north - y);
  const north = lat - 44.62;
  return {
    path: Math.round(219 + ((-92.19 + 0.343 * north - lon) * 373) / 360),
    row: Math.round(50 - north / 0.888),
  };
}

/** Cameras of CBERS-4 by their name in products. */
export type Cbers4Camera = 'MUX' | 'AWFI' | 'PAN10M' | 'PAN5M';

/** A band of a camera. */
interface Cbers4Band {
  /** `5`, as INPE counts. */
  readonly number: string;
  readonly spectral: SpectralBand;
  /** Radiance of a stored unit, in W/(m² sr µm). */
  readonly gain: number;
  /** What the XML says of it. */
  readonly statedGain: number;
  readonly esun: number;
}

/** A camera as the writer needs it. */
interface CameraTraits {
  readonly camera: Cbers4Camera;
  readonly resolutionM: number;
  readonly type: 'uint8' | 'uint16';
  readonly maxStored: number;
  /** In reflectance; `shot` is the growth of its variance with the light. */
  readonly noise: { readonly dark: number; readonly shot: number };
  readonly bands: readonly Cbers4Band[];
}

/**
 * Gains of the PAN camera, by band: INPE publishes none, so that only a product's XML can say them. These let a
 * reflectance of 0.6 under a high sun come near the top of 8 bits.
 */
const PAN_GAINS: Readonly<Record<string, number>> = { BAND1: 1.02, BAND2: 1.45, BAND3: 1.22, BAND4: 0.78 };

/** The XML of real AWFI products overstates its gains about fourfold (sensors/cbers4/cameras.ts); so does ours. */
const AWFI_STATED: Readonly<Record<string, number>> = {
  BAND13: 1.4351,
  BAND14: 1.4351,
  BAND15: 1.3903,
  BAND16: 1.3903,
};

const NOISE = {
  MUX: { dark: 0.0015, shot: 6e-6 },
  AWFI: { dark: 0.0008, shot: 3e-6 },
  PAN10M: { dark: 0.0015, shot: 6e-6 },
  PAN5M: { dark: 0.0018, shot: 8e-6 },
} as const;

/** Finds what our sensors know of a camera, and adds what only its products say. */
function toCameraTraits(camera: Cbers4Camera): CameraTraits {
  const bands = toReflectiveBands(`cbers4${camera.toLowerCase()}`);
  const { resolutionM } = bands[0]!.known;
  const isWide = camera === 'AWFI';
  return {
    camera,
    resolutionM,
    type: isWide ? 'uint16' : 'uint8',
    // ten bits and eight
    maxStored: isWide ? 1023 : 255,
    noise: NOISE[camera],
    bands: bands.map(({ known: { name, calibration }, spectral }) => {
      if (calibration.kind !== 'radiance') throw internal('no-gain', `The band ${name} has no gain.`);
      const gain = calibration.radiance?.mult ?? PAN_GAINS[name];
      if (gain === undefined) throw internal('no-gain', `The band ${name} has no gain.`);
      const statedGain = AWFI_STATED[name] ?? gain;
      return { number: name.replace('BAND', ''), spectral, gain, statedGain, esun: calibration.esun };
    }),
  };
}
