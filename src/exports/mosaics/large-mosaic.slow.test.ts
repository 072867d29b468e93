/** A mosaic of more than one file at its real size: parts, files and smaller copies fit together. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readEntries } from '../../formats/testing/read-zip.ts';
import { cutGrid, makeMosaicsHere, NATIVE } from '../../mosaic/testing/mosaics-here.ts';
import { anOrder, aRun, boundsOf, readTiff, sceneOf, useMosaicFiles } from './testing/mosaic-files.ts';

const kit = useMosaicFiles();
const PIXEL_M = 0.05;

test('a strip of more than 10,240 pixels makes two files with every pixel in its place', async () => {
  const halved = sceneOf(5, { classAt: (column) => (column < 32 ? 9 : 4) });
  const { mosaics } = makeMosaicsHere(sceneOf(3), halved);
  const strip = cutGrid(NATIVE, 0, 20, 64, 6);
  const area = { kind: 'bounds', bounds: boundsOf(strip) } as const;
  const planned = await kit.makePlan(mosaics)({ ...anOrder, area, pixelM: PIXEL_M });
  const path = join(kit.makeFolder(), planned.fileName);
  await planned.write(path, aRun);
  const files = [...readEntries(path)].filter(([name]) => name.endsWith('.tif'));
  assert.deepEqual(
    files.map(([name]) => /_(\d_\d)\.tif$/.exec(name)?.[1]),
    ['0_0', '1_0'],
  );
  const middle = NATIVE.transform[0] + 320;
  let checked = 0;
  for (const [name, bytes] of files) {
    const own = join(kit.makeFolder(), name);
    writeFileSync(own, bytes);
    const { tiff, image, bands, readLevel } = await readTiff(own);
    const levels = [bands, await readLevel(1), await readLevel(tiff.images.length - 1)];
    for (const [i, level] of levels.entries()) {
      const { width, height } = tiff.images[[0, 1, tiff.images.length - 1][i]!]!;
      const scale = image.width / width;
      for (let row = 0; row < height; row += 37) {
        for (let column = 0; column < width; column += 89) {
          const x = tiff.transform![0] + (column + 0.5) * scale * PIXEL_M;
          const isInside = x > NATIVE.transform[0] + 20 && x < NATIVE.transform[0] + 620;
          // Classes change at their own pixels of 20 m.
          if (!isInside || Math.abs(x - middle) < 25) continue;
          const at = row * width + column;
          assert.deepEqual(
            level.map((band) => band[at]),
            x < middle ? [300, 2] : [500, 1],
            `${name} level ${i}: ${column} ${row}`,
          );
          checked += 1;
        }
      }
    }
  }
  assert.ok(checked > 4_000, `${checked} pixels`);
});
