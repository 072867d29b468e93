import type { TestCubes } from './open-test-cubes.ts';
import { openTestCubes } from './open-test-cubes.ts';

/** Writes a cube again and again, each time with the next number in every cell, until it is killed. */
const [where, start] = process.argv.slice(2) as [string, string];
const grid = { west: 10.5, north: 49.5, lonStep: 1, latStep: 1, width: 12, height: 10 };
const writer = await openTestCubes(JSON.parse(where) as TestCubes).openWriter('a', { grid, stepHours: 24 });
const about = { units: 'm3 m-3', longName: 'Soil moisture' };
for (let number = Number(start) + 1; ; number++) {
  const values = new Float32Array(grid.width * grid.height).fill(number);
  await writer.write([{ variable: 'surface', about, fields: [{ step: 0, values }] }], new Map());
  process.stdout.write('.');
}
