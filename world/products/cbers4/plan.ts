import { makeProjection } from '../../../src/proj/index.ts';
import type { SkyPlan } from '../../light/exposure.ts';
import { epsg, frame } from '../../setting/frame.ts';
import type { LocalGrid, LocalWindow } from '../local-window.ts';
import { toLocalGrid } from '../local-window.ts';
import type { TiltedBox } from '../tilted-box.ts';
import { toTiltedBox } from '../tilted-box.ts';
import type { CameraTraits, Cbers4Camera } from './cameras.ts';
import { toCameraTraits } from './cameras.ts';

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
