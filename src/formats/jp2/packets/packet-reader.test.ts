import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMemorySource } from '../../testing/memory-source.ts';
import { toSpan } from '../headers/main-header.ts';
import { parsePartHeader } from '../headers/tile-parts.ts';
import { openJp2 } from '../reader/jp2-reader.ts';
import { packetFiles, readPacketFile } from '../testing/tiny-jp2.ts';
import { listPackets } from './packet-order.ts';
import { makePacketReader } from './packet-reader.ts';
import { parsePacketLengths } from './select-packets.ts';

for (const name of packetFiles) {
  test(`${name}: every packet is as long as its encoder says`, async () => {
    const codestream = readPacketFile(name);
    const jp2 = await openJp2(makeMemorySource(codestream));
    for (const [tile, [part]] of jp2.tileParts.entries()) {
      const bytes = codestream.subarray(part!.offset, part!.offset + part!.length);
      const header = parsePartHeader(bytes, { tile, part: 0, parts: [part!] })!;
      const lengths = parsePacketLengths(header.lengthTables)!;
      const packets = listPackets({
        x: toSpan(tile % jp2.tilesAcross, jp2.tileWidth, jp2.width),
        y: toSpan(Math.floor(tile / jp2.tilesAcross), jp2.tileHeight, jp2.height),
        bandCount: jp2.bandCount,
        style: jp2.header.style,
      })!;
      const reader = makePacketReader(jp2.header.style);
      let at = header.end;
      const measured = packets.map((packet) => {
        const length = reader.measure(packet, bytes.subarray(at));
        at += length!;
        return length;
      });
      assert.deepEqual(measured, lengths);
      assert.equal(at, bytes.length);
    }
  });
}

test('a truncated header has no length', async () => {
  const codestream = readPacketFile('RPCL-1');
  const jp2 = await openJp2(makeMemorySource(codestream));
  const [part] = jp2.tileParts[0]!;
  const bytes = codestream.subarray(part!.offset, part!.offset + part!.length);
  const { end } = parsePartHeader(bytes, { tile: 0, part: 0, parts: [part!] })!;
  const [first] = listPackets({
    x: toSpan(0, jp2.tileWidth, jp2.width),
    y: toSpan(0, jp2.tileHeight, jp2.height),
    bandCount: 1,
    style: jp2.header.style,
  })!;
  const measure = (length: number) =>
    makePacketReader(jp2.header.style).measure(first!, bytes.subarray(end, end + length));
  const whole = measure(bytes.length - end)!;
  const results = Array.from({ length: whole }, (_, length) => measure(length));
  const enough = results.findIndex((length) => length !== null);
  assert.ok(enough > 1 && enough < whole, `${enough} of ${whole}`);
  assert.deepEqual(
    results,
    results.map((_, length) => (length < enough ? null : whole)),
  );
});
