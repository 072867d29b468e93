import type { PixelArray } from '../../raster/index.ts';
import { makePixels } from '../../raster/index.ts';
import type { CogPlan } from './cog-options.ts';
import { cutOut } from './cut-out.ts';
import { makeEncodeBlock } from './encode-block.ts';
import { makeRowReducer } from './row-reducer.ts';
import type { Spool } from './spool.ts';

/** Takes the rows of one resolution, stores its blocks, and feeds the next smaller one. */
interface LevelWriter {
  /** The next row of each band; band `i` has it at `start` of its array. */
  addRow(bands: readonly PixelArray[], start: number): Promise<void>;
}

/** Writers for a level and all smaller ones; each holds one row of blocks. */
export function makeLevelWriter(plan: CogPlan, spool: Spool, index = 0): LevelWriter {
  const { blockSize, type, planes } = plan;
  const { width, height, blocksAcross, blocksDown } = plan.levels[index]!;
  const held = Array.from({ length: plan.bandCount }, () =>
    makePixels(type, width * Math.min(blockSize, height)),
  );
  const encode = makeEncodeBlock(plan);
  const smaller = index + 1 < plan.levels.length ? makeLevelWriter(plan, spool, index + 1) : null;
  const reducers = held.map(() =>
    makeRowReducer(plan.overviewMethod, { type, nodata: plan.nodata, width, height }),
  );
  let rows = 0;

  const storeBlocks = async (): Promise<void> => {
    const blockRow = Math.ceil(rows / blockSize) - 1;
    for (let plane = 0; plane < planes; plane++) {
      const bands = planes === 1 ? held : [held[plane]!];
      for (let column = 0; column < blocksAcross; column++) {
        const number = (plane * blocksDown + blockRow) * blocksAcross + column;
        let appended = Promise.resolve();
        encode({ bands, width, rows: rows - blockRow * blockSize, left: column * blockSize }, (payload) => {
          appended = spool.append(index, number, payload);
        });
        await appended;
      }
    }
  };

  return {
    async addRow(bands, start) {
      const to = (rows % blockSize) * width;
      held.forEach((buffer, band) => {
        buffer.set(bands[band]!.subarray(start, start + width), to);
      });
      rows++;
      if (rows % blockSize === 0 || rows === height) await storeBlocks();
      if (smaller === null) return;
      // bands arrive together, so their reducers finish a row together
      const reduced = reducers.map((reducer, band) => reducer.push(bands[band]!, start));
      if (reduced[0] == null) return;
      if (plan.alpha === 'cut-out') cutOut(reduced as PixelArray[], 0, reduced[0].length);
      await smaller.addRow(reduced as PixelArray[], 0);
    },
  };
}
