import { toGridFile } from '../../../src/cubes/grid-file.ts';
import { makeGridNetcdf } from '../../../src/cubes/testing/make-grid-netcdf.ts';
import { openNetcdf } from '../../../src/formats/netcdf/index.ts';
import { makeMemorySource } from '../../../src/formats/testing/memory-source.ts';
import type { FuzzTarget } from '../target.ts';

/** NetCDF classic files: header, numbers, axes, times, and the fields they make. */
export const netcdf: FuzzTarget = {
  name: 'netcdf',
  maxBytes: 64 * 1024,
  tokens: ['units', 'days since ', 'degrees_north', 'degrees_east', 'scale_factor', '_FillValue', 'calendar'],
  readSeeds() {
    const grid = { west: 10, north: 50, lonStep: 0.5, latStep: 0.5, width: 5, height: 4 };
    const valueAt = (step: number, cell: number): number =>
      cell % 3 === 0 ? Number.NaN : (step + cell) / 100;
    return [
      makeGridNetcdf({ grid, steps: [20_000, 20_001], valueAt }),
      makeGridNetcdf({ grid, steps: [480_000, 480_001, 480_006], valueAt, timeUnits: 'hours', units: '%' }),
      makeGridNetcdf({ grid: { ...grid, west: 0, lonStep: 72 }, steps: [0], valueAt, name: 'swvl1' }),
    ];
  },
  async run(input) {
    const file = await openNetcdf(makeMemorySource(input));
    const { variables } = await toGridFile(file, 'x_20260502.nc');
    for (const variable of variables) {
      for (const index of variable.timesMs.keys()) {
        const field = await variable.readField(index);
        if (field.length !== variable.grid.width * variable.grid.height)
          throw new Error('a field of another size');
      }
    }
  },
};
