import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Affine } from '../../../../src/geo/index.ts';
import type { PixelArray } from '../../../../src/raster/index.ts';
import { readImage } from '../../../testing/read-image.ts';

/** Pixels of a file and where they lie. */
export interface ReadImage {
  readonly width: number;
  readonly height: number;
  readonly transform: Affine;
  readonly pixels: PixelArray;
}

/** A product as it lies on the disk. */
export interface ReadProduct {
  readonly folder: string;
  readonly id: string;
  /** By the end of the file's name: `B4`. */
  image(name: string): Promise<ReadImage>;
  /** A number of the file `_MTL.txt` by its key. */
  number(key: string): number;
  readonly text: string;
}

/** Reads the full resolution of a file of one band. */
async function readImageFile(path: string): Promise<ReadImage> {
  const { width, height, transform, bands } = await readImage(path);
  const [pixels, ...more] = bands;
  if (transform === null || pixels === undefined || more.length > 0) {
    throw new Error(`${path} is not one georeferenced band`);
  }
  return { width, height, transform, pixels };
}

/** Opens the only product under a folder whose name begins so. */
export async function readProduct(directory: string, start: string): Promise<ReadProduct> {
  const [id, ...more] = (await readdir(directory)).filter((name) => name.startsWith(start));
  if (id === undefined || more.length > 0) throw new Error(`not one product ${start}`);
  const folder = join(directory, id);
  const text = await readFile(join(folder, `${id}_MTL.txt`), 'utf8');
  return {
    folder,
    id,
    text,
    image: (name) => readImageFile(join(folder, `${id}_${name}.TIF`)),
    number(key) {
      const found = new RegExp(`^ *${key} = (\\S+)$`, 'm').exec(text)?.[1];
      if (found === undefined) throw new Error(`${id} has no ${key}`);
      return Number(found);
    },
  };
}
