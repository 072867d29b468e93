import type { Locations } from '../../ground/ground.ts';
import { backscatter } from '../../light/index.ts';
import { frame } from '../../setting/frame.ts';
import type { ProductDeps } from '../product-deps.ts';
import { toStripSeed } from '../write-in-strips.ts';
import type { Sentinel1Plan } from './plan.ts';
import type { RadarPass } from './radar-pass.ts';

/** The polarisations of a product, in the order of its images. */
export const polarisations = ['VV', 'VH'] as const;

/** Makes lines of amplitudes; counts what it makes. */
export interface RadarDeveloper {
  develop(firstLine: number, lines: number): readonly (readonly [Uint16Array])[];
  /** Mean and standard deviation of what was stored for a polarisation, nothing measured left out. */
  statistics(index: number): { readonly mean: number; readonly deviation: number };
}

/** Independent looks of a real pixel, and the side of the ground that its echoes come from. */
const LOOKS = 4.4;
const RESOLUTION_M = 20;
const MAX_STORED = 65_535;

/** Makes the developer of a product: amplitude = sqrt(sigma nought) times the factor of the pixel. */
export function makeRadarDeveloper(
  { plan, pass, factors }: { plan: Sentinel1Plan; pass: RadarPass; factors: Float64Array },
  { world }: ProductDeps,
): RadarDeveloper {
  const { width, spacingM } = pass;
  const incidence = Float32Array.from({ length: width }, (_, pixel) => pass.incidenceDegAt(pixel));
  // coarser pixels are means of echoes that are independent beyond the resolution
  const looks = LOOKS * Math.max(1, (spacingM / RESOLUTION_M) ** 2);
  const sums = polarisations.map(() => ({ count: 0, total: 0, squares: 0 }));

  return {
    develop(firstLine, lines) {
      const locations = toLocations(pass, firstLine, lines);
      const survey = world.ground.survey(locations);
      const incidenceDeg = new Float32Array(width * lines);
      for (let line = 0; line < lines; line++) incidenceDeg.set(incidence, line * width);
      return polarisations.map((polarisation, index) => {
        const sigma = backscatter(world, {
          survey,
          polarisation,
          incidenceDeg,
          looks,
          atMs: plan.atMs,
          lookAzimuthDeg: pass.lookAzimuthDeg,
          seed: toStripSeed(plan.seed, firstLine, index),
        });
        const stored = new Uint16Array(sigma.length);
        const sum = sums[index]!;
        for (let i = 0; i < stored.length; i++) {
          if (isBeyondWorld(locations.x[i]!, locations.y[i]!)) continue;
          const amplitude = Math.round(Math.sqrt(Math.max(0, sigma[i]!)) * factors[i % width]!);
          // 0 says that nothing was measured
          const value = Math.min(MAX_STORED, Math.max(1, amplitude));
          stored[i] = value;
          sum.count++;
          sum.total += value;
          sum.squares += value * value;
        }
        return [stored] as const;
      });
    },
    statistics(index) {
      const { count, total, squares } = sums[index]!;
      const mean = count === 0 ? 0 : total / count;
      return { mean, deviation: count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) };
    },
  };
}

function toLocations(pass: RadarPass, firstLine: number, lines: number): Locations {
  const { width, spacingM } = pass;
  const x = new Float64Array(width * lines);
  const y = new Float64Array(width * lines);
  for (let line = 0; line < lines; line++) pass.fillLine(firstLine + line, { x, y }, line * width);
  return { width, height: lines, x, y, sideM: spacingM };
}

const isBeyondWorld = (x: number, y: number): boolean => x < 0 || y < 0 || x > frame.sizeM || y > frame.sizeM;
