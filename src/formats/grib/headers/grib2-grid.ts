import { damaged, unread } from '../bytes/grib-errors.ts';
import { getSigned32, toView } from '../bytes/numbers.ts';
import type { GribGrid } from './grid.ts';
import { refuseGrid, toGribGrid } from './grid.ts';

/** Grids of code table 3.1 by the names that programs have for them. */
const GRID_NAMES: ReadonlyMap<number, string> = new Map([
  [1, 'rotated latitude and longitude'],
  [2, 'stretched latitude and longitude'],
  [3, 'stretched and rotated latitude and longitude'],
  [10, 'Mercator'],
  [12, 'transverse Mercator'],
  [20, 'polar stereographic'],
  [30, 'Lambert conformal'],
  [31, 'Albers equal area'],
  [40, 'Gaussian'],
  [41, 'rotated Gaussian'],
  [50, 'spherical harmonics'],
  [90, 'space view'],
  [100, 'triangular'],
  [101, 'unstructured'],
  [140, 'Lambert azimuthal equal area'],
  [150, 'HEALPix'],
]);

const MISSING = 0xffffffff;
const TEMPLATE_BYTES = 72;

/** The grid of section 3 of edition 2. */
export function toGrib2Grid(section: Uint8Array): GribGrid {
  const view = toView(section);
  const template = view.getUint16(12);
  if (view.getUint8(5) !== 0)
    throw unread(
      'grid-number',
      'The GRIB file names its grid only by a number; write it with a grid section.',
    );
  if (template !== 0) throw refuseGrid(GRID_NAMES.get(template) ?? `type ${template}`);
  if (section.length < TEMPLATE_BYTES) throw damaged('the header of a grid is too short');
  const [width, height] = [view.getUint32(30), view.getUint32(34)];
  if (width === MISSING || height === MISSING) throw refuseGrid('reduced latitude and longitude');
  if (view.getUint32(6) !== width * height)
    throw damaged(`a grid of ${width} × ${height} has ${view.getUint32(6)} points`);
  // Degrees are in millionths, unless a basic angle and its parts say otherwise.
  const [basic, parts] = [view.getUint32(38), view.getUint32(42)];
  const unit = basic === 0 || basic === MISSING || parts === 0 || parts === MISSING ? 1e-6 : basic / parts;
  // Millionths are divided, not multiplied: 0.1 is 100000 / 1000000 to the last bit.
  const toDegrees = (units: number): number => (unit === 1e-6 ? units / 1e6 : units * unit);
  const flags = view.getUint8(54);
  const toStep = (at: number, flag: number): number | null => {
    const units = view.getUint32(at);
    return (flags & flag) !== 0 && units !== MISSING && units !== 0 ? toDegrees(units) : null;
  };
  return toGribGrid({
    width,
    height,
    firstLat: toDegrees(getSigned32(view, 46)),
    firstLon: toDegrees(getSigned32(view, 50)),
    lastLat: toDegrees(getSigned32(view, 55)),
    lastLon: toDegrees(getSigned32(view, 59)),
    lonStep: toStep(63, 0x20),
    latStep: toStep(67, 0x10),
    unit,
    scan: view.getUint8(71),
  });
}
