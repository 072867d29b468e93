import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Key } from './service.ts';
import { pathOf, sceneOf } from './service.ts';

// It looks for files of products that were made.
// Reads: nothing more

/** A number of the metadata that came with a product, by its name. */
export type Mtl = (name: string) => number;

/** Reads the metadata of a Landsat scene. */
export async function readMtl(key: Key): Promise<Mtl> {
  const { href } = Object.values(sceneOf(key).assets)[0]!;
  const [path] = globSync(`${dirname(pathOf(href))}/*_MTL.txt`);
  assert.ok(path !== undefined, 'the product has an MTL');
  const lines = readFileSync(path, 'utf8').matchAll(/^\s*(\w+) = (.*)$/gm);
  const numbers = new Map([...lines].map(([, name, value]) => [name, Number(value)]));
  return (name) => {
    const number = numbers.get(name);
    assert.ok(number !== undefined, `the MTL has ${name}`);
    return number;
  };
}

/** Reflectance at the top of the atmosphere, as the USGS says. */
export const toReflectance = (value: number, mtl: Mtl, band: number): number =>
  (mtl(`REFLECTANCE_MULT_BAND_${band}`) * value + mtl(`REFLECTANCE_ADD_BAND_${band}`)) /
  Math.sin((mtl('SUN_ELEVATION') * Math.PI) / 180);
