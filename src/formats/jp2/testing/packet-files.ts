import { readFileSync } from 'node:fs';
import { splitParts } from './tiny-jp2.ts';

/** Files that state the lengths of their packets, one for each order; 3 bands have three layers. */
export const packetFiles = ['LRCP-1', 'RLCP-1', 'RPCL-1', 'PCRL-1', 'CPRL-3', 'LRCP-3'] as const;

/** The bare codestream of such a file. */
export function readPacketFile(name: (typeof packetFiles)[number]): Buffer {
  const file = readFileSync(new URL(`../../../../test/golden/jp2/packets-${name}.jp2`, import.meta.url));
  return file.subarray(file.indexOf('jp2c', 0, 'latin1') + 4);
}

/** The same codestream with other headers of its tile-parts. */
export function changePartHeaders(
  codestream: Uint8Array,
  change: (segments: readonly Buffer[]) => readonly Uint8Array[],
): Buffer {
  const { head, parts } = splitParts(codestream);
  const changed = parts.map((bytes) => {
    const part = Buffer.from(bytes);
    const segments: Buffer[] = [];
    let at = 12;
    while (part.readUInt16BE(at) !== 0xff93) {
      const end = at + 2 + part.readUInt16BE(at + 2);
      segments.push(part.subarray(at, end));
      at = end;
    }
    const result = Buffer.concat([part.subarray(0, 12), ...change(segments), part.subarray(at)]);
    result.writeUInt32BE(result.length, 6);
    return result;
  });
  return Buffer.concat([head, ...changed, Buffer.from([0xff, 0xd9])]);
}

/** Without the lengths of packets. */
export const withoutLengths = (codestream: Uint8Array): Buffer =>
  changePartHeaders(codestream, (segments) =>
    segments.filter((segment) => segment.readUInt16BE(0) !== 0xff58),
  );
