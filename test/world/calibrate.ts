import { parseExpressions } from '../../src/bandmath/index.ts';
import type { Asset } from '../../src/catalog/index.ts';
import type { PixelArray } from '../../src/raster/index.ts';
import { loadKernels, makeComputeBands } from '../../src/raster/index.ts';
import { fillTablePlane } from '../../src/render/pixels/table-plane.ts';
import type { BandInputPlan } from '../../src/render/plan/calibration.ts';
import type { Sensor } from '../../src/sensors/index.ts';

interface StoredImage {
  readonly plan: BandInputPlan;
  readonly pixels: PixelArray | Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Makes the way from stored numbers to physical values that tiles go too: plan, table and compiled pass. */
export function makeCalibrate(): (image: StoredImage) => Float32Array {
  const kernels = loadKernels();
  const compute = makeComputeBands(kernels);
  const names = { all: ['B1'], find: (name: string) => ({ kind: 'band', name, resolutionM: 10 }) as const };
  const tree = parseExpressions('B1*1.0', names);
  return ({ plan: { rule, parameters, table }, pixels, width, height }) => {
    const count = width * height;
    const allocate = kernels.begin();
    // the pass takes sixteen pixels at once
    const makePlane = (): number => allocate(4 * Math.ceil(count / 16) * 16);
    const viewOf = (at: number) => new Float32Array(kernels.buffer(), at, count);
    const valuesAt = makePlane();
    const secondAt = table === null ? 0 : makePlane();
    viewOf(valuesAt).set(pixels);
    if (table !== null) {
      const size = { width, height };
      fillTablePlane(viewOf(secondAt), {
        table,
        window: { x: 0, y: 0, ...size },
        levelSize: size,
        fullSize: size,
      });
    }
    const inputs = [{ valuesAt, maskAt: 0, rule, parameters, secondAt }];
    const [result] = compute(allocate, { tree, inputs, count });
    return viewOf(result!.valuesAt).slice();
  };
}

/** NAIP has no radiometric scale; its tone curve is bent by 2.2 and white at a reflectance of 0.5 (0.8 in infrared). */
export const toPhotograph = (band: string) => (stored: number) =>
  Math.sign(stored) * (band === 'N' ? 0.8 : 0.5) * (Math.abs(stored) / 255) ** 2.2;

/** Numbers that also represent everything darker or brighter. */
export function toLimits({ dataset }: Sensor, { type }: Asset): readonly [number, number] {
  if (dataset.startsWith('sentinel2')) return [1, 32_767];
  if (dataset === 'modis') return [0, 32_766];
  if (dataset === 'cbers4awfi') return [1, 1023];
  return [dataset === 'naip' ? 0 : 1, type === 'uint8' ? 255 : 65_535];
}
