import { badInput, tooLarge } from '../../../src/errors.ts';
import { arcSine, cos, sin, toDegrees, toRadians } from '../../numbers/steady-math.ts';
import type { LocalWindow } from '../local-window.ts';
import { toTiltedBox } from '../tilted-box.ts';

/** One GRD product of Sentinel-1A, mode IW, with the polarisations VV and VH. */
export interface Sentinel1Plan {
  /** Milliseconds since 1970, of the first line. Descending passes come at about 14:20 UTC, ascending ones at 02:00. */
  readonly atMs: number;
  readonly pass: 'ascending' | 'descending';
  /** The image stands aslant in it, and touches its sides. What lies beyond the world is stored as 0. */
  readonly window: LocalWindow;
  /** Distance of pixels and lines: 10 m in real products, more to make it coarser. */
  readonly spacingM: number;
  /** Incidence at the first pixel, from the vertical: 30 degrees at the near end of the real swath, 46 at the far one. */
  readonly nearIncidenceDeg: number;
  readonly seed: number;
}

/** What the radar saw and where: lines go with the flight, pixels away from the track, on its right side. */
export interface RadarPass {
  readonly width: number;
  readonly height: number;
  readonly spacingM: number;
  /** Of the flight over the middle of the image, clockwise from true north. */
  readonly headingDeg: number;
  /** Where the radar stands as seen from the ground, clockwise from the north of the grid. */
  readonly lookAzimuthDeg: number;
  /** Local metres of a pixel's middle; lines and pixels are counted from the middle of the first one. */
  toLocal(line: number, pixel: number): readonly [x: number, y: number];
  /** Local metres of all pixels of a line, from `at` on. */
  fillLine(line: number, locations: { readonly x: Float64Array; readonly y: Float64Array }, at: number): void;
  /** Angle of the beam from the vertical on flat ground, and its way from the satellite. */
  incidenceDegAt(pixel: number): number;
  slantRangeMAt(pixel: number): number;
}

/** At 48 degrees north, from the north of the grid of UTM zone 10. */
const HEADINGS = { descending: 194.1, ascending: 344.7 } as const;
/** True north against the grid's, in the middle of the world. */
const CONVERGENCE_DEG = 0.55;
/** Radians that the track turns to the left in a metre of flight: 0.27 degrees for a degree of latitude. */
const TURN = 4.2e-8;
/** Of the orbit and the Earth, in metres. */
const ORBIT_M = 693_000;
const EARTH_M = 6_371_000;
/** The geolocation grid has 21 × 10 locations; the annotation of real images ends at 100,000 lines. */
const MIN_SIZE = { width: 21, height: 10 } as const;
const MAX_SIDE_PX = 30_000;

/** Lays the image of a pass into the plan's window. */
export function makeRadarPass({ pass, window, spacingM, nearIncidenceDeg }: Sentinel1Plan): RadarPass {
  const gridHeading = HEADINGS[pass];
  const { middleX, middleY, acrossM, alongM, forward, right } = toTiltedBox(window, gridHeading);
  const [width, height] = [Math.floor(acrossM / spacingM), Math.floor(alongM / spacingM)];
  if (!(width >= MIN_SIZE.width && height >= MIN_SIZE.height)) {
    throw badInput(
      'bad-window',
      `An image of ${width} × ${height} pixels has no room for its geolocation grid.`,
    );
  }
  if (width > MAX_SIDE_PX || height > MAX_SIDE_PX) {
    throw tooLarge(
      'window-too-large',
      `An image of ${width} × ${height} pixels is over the limit of ${MAX_SIDE_PX}.`,
    );
  }
  // Angle at the Earth's middle between the satellite and the first pixel.
  const nearSine = sin(toRadians(nearIncidenceDeg));
  const nearAngle = toRadians(nearIncidenceDeg) - arcSine((EARTH_M * nearSine) / (EARTH_M + ORBIT_M));
  const angleAt = (pixel: number) => nearAngle + (pixel * spacingM) / EARTH_M;
  const slantRangeMAt = (pixel: number) => {
    const [far, down] = [EARTH_M + ORBIT_M, cos(angleAt(pixel))];
    return Math.sqrt(EARTH_M * EARTH_M + far * far - 2 * EARTH_M * far * down);
  };
  const toLocal = (line: number, pixel: number) => {
    const flown = (line - (height - 1) / 2) * spacingM;
    const sideways = (pixel - (width - 1) / 2) * spacingM;
    // The track bends, and the lines that stand across it turn with it.
    const along = flown + sideways * flown * TURN;
    const across = sideways - (flown * flown * TURN) / 2;
    return [
      middleX + along * forward[0] + across * right[0],
      middleY + along * forward[1] + across * right[1],
    ] as const;
  };
  return {
    width,
    height,
    spacingM,
    slantRangeMAt,
    toLocal,
    headingDeg: gridHeading + CONVERGENCE_DEG,
    lookAzimuthDeg: (gridHeading + 270) % 360,
    fillLine(line, { x, y }, at) {
      // pixels of a line lie evenly on a straight one
      const [firstX, firstY] = toLocal(line, 0);
      const [lastX, lastY] = toLocal(line, width - 1);
      const [stepX, stepY] = [(lastX - firstX) / (width - 1), (lastY - firstY) / (width - 1)];
      for (let pixel = 0; pixel < width; pixel++) {
        x[at + pixel] = firstX + pixel * stepX;
        y[at + pixel] = firstY + pixel * stepY;
      }
    },
    incidenceDegAt: (pixel) =>
      toDegrees(arcSine(((EARTH_M + ORBIT_M) * sin(angleAt(pixel))) / slantRangeMAt(pixel))),
  };
}
