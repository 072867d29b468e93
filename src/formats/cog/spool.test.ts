import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeFiles } from '../../files/index.ts';
import { planCog } from './plan-cog.ts';
import { makeSpool } from './spool.ts';
import { withFolder } from './testing/write-cog.ts';

const plan = planCog({
  width: 64,
  height: 16,
  bandCount: 1,
  type: 'uint8',
  epsg: null,
  transform: null,
  nodata: null,
  compression: 'none',
  predictor: 1,
  blockSize: 16,
  overviews: 'none',
});

test('a payload whose memory is gone after the call is stored with its size', () =>
  withFolder(async (folder) => {
    const { file } = await nodeFiles.createTemporary(folder);
    try {
      const spool = makeSpool(file, plan);
      for (let block = 0; block < 4; block++) {
        const buffer = new ArrayBuffer(10 + block);
        const payload = new Uint8Array(buffer).fill(block);
        const appended = spool.append(0, block, payload);
        // as the kernels' memory is when it grows
        buffer.transfer();
        assert.equal(payload.length, 0);
        await appended;
      }
      assert.deepEqual([...spool.levels[0]!.sizes], [10, 11, 12, 13]);
      const replayed: number[] = [];
      await spool.replay(0, async (bytes) => void replayed.push(...bytes));
      assert.equal(replayed.length, 46 + 4 * 8);
      assert.deepEqual(replayed.slice(0, 6), [10, 0, 0, 0, 0, 0]);
    } finally {
      await file.close();
    }
  }));
