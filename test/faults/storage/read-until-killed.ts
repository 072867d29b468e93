/**
 * Run as a process of its own: opens a remote file again and again, and reads its ranges in an order of its own, through
 * both folders on disk. Takes the options of the sources, the address, the stamp, how often, and a start of the order.
 */
import assert from 'node:assert/strict';
import { readHeader } from '../../../src/sources/index.ts';
import type { CachedSources } from './cached-sources.ts';
import { openCached, RANGE_BYTES, toByte } from './cached-sources.ts';

const [options = '', url = '', stamp = '', rounds = '1', start = '0'] = process.argv.slice(2);
const sources = JSON.parse(options) as CachedSources;
for (let round = 0; round < Number(rounds); round += 1) {
  const source = await openCached(sources)(url, undefined, { stamp });
  await readHeader(source, (headed) => headed.read(0, 100));
  const count = Math.floor(source.size / RANGE_BYTES);
  for (let i = 0; i < count; i += 1) {
    const offset = ((Number(start) + round + i * 7) % count) * RANGE_BYTES;
    const bytes = await source.read(offset, RANGE_BYTES);
    assert.ok(bytes.every((byte, at) => byte === toByte(offset + at)));
  }
  await source.close();
}
