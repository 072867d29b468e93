import type { BlockFile } from '../../../src/formats/block-file/index.ts';
import { bytesPerSample } from '../../../src/raster/index.ts';

/** What one run reads: a file may claim thousands of blocks of 64 MiB, which it may have, one at a time. */
const MAX_BLOCKS = 24;
const MAX_BYTES = 4 * 2 ** 20;

/** Reads blocks of all levels and bands, with their masks, until that is enough or one is refused. */
export async function readBlocks(file: BlockFile): Promise<void> {
  let blocks = 0;
  let bytes = 0;
  for (const [level, image] of file.levels.entries()) {
    const step = { column: Math.ceil(image.blocksAcross / 3), row: Math.ceil(image.blocksDown / 3) };
    for (let row = 0; row < image.blocksDown; row += step.row) {
      for (let column = 0; column < image.blocksAcross; column += step.column) {
        if (blocks === MAX_BLOCKS || bytes > MAX_BYTES) return;
        const position = { band: blocks % image.bandCount, column, row };
        const block = await file.readBlock(level, position);
        const expected = block.width * block.height * block.bandCount;
        if (block.pixels.length !== expected)
          throw new Error(`a block has ${block.pixels.length} samples instead of ${expected}`);
        await file.readMask(level, position, block);
        blocks++;
        bytes += block.pixels.length * bytesPerSample[image.type];
      }
    }
  }
}
