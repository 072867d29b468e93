import { internal, tooLarge } from '../../../errors.ts';
import type { OutputFile } from '../../../files/index.ts';
import { toSizSegment } from '../headers/image-size.ts';
import { MAX_WRITTEN_BYTES } from '../limits.ts';
import type { Jp2Options } from './jp2-options.ts';
import { toFileHead } from './written-boxes.ts';
import type { EncodedTile } from './written-codestream.ts';
import { toTileHead, toTlm } from './written-codestream.ts';

const SOC = Uint8Array.of(0xff, 0x4f);
const EOC = Uint8Array.of(0xff, 0xd9);

/** A JP2 file that is put together of encoded tiles; each call is awaited before the next. */
export interface Jp2Assembly {
  /** The next tile, row by row. */
  add(tile: EncodedTile): Promise<void>;
  /** Writes what stands first and is known last; returns the bytes of the file. */
  finish(): Promise<number>;
}

/** Starts a file of checked options. */
export function makeJp2Assembly(file: OutputFile, options: Jp2Options): Jp2Assembly {
  const { width, height, tileSize } = options;
  const tileBytes = new Uint32Array(Math.ceil(width / tileSize) * Math.ceil(height / tileSize));
  let style: Uint8Array | null = null;
  let tile = 0;
  let end = 0;

  const toHead = (known: Uint8Array, codestreamBytes: number): Uint8Array => {
    const siz = toSizSegment({ ...options, tileWidth: tileSize, tileHeight: tileSize, isSigned: false });
    const main = Buffer.concat([SOC, siz, known, toTlm(tileBytes)]);
    return Buffer.concat([toFileHead(options, options, codestreamBytes), main]);
  };

  return {
    async add(parts) {
      if (style === null) {
        style = new Uint8Array(parts.style);
        // its numbers come later; its length is known
        end = toHead(style, 0).length;
      } else if (Buffer.compare(style, parts.style) !== 0) {
        throw internal('jp2-encode', 'The encoder cut two tiles of an image in different ways.');
      }
      const head = toTileHead(tile, parts.packets.length);
      tileBytes[tile++] = head.length + parts.packets.length;
      await file.write(Buffer.concat([head, parts.packets]), end);
      end += head.length + parts.packets.length;
    },
    async finish() {
      if (style === null || tile !== tileBytes.length) {
        throw internal('jp2-incomplete', `Only ${tile} of ${tileBytes.length} tiles are written.`);
      }
      const mainBytes = toHead(style, 0).length - toFileHead(options, options, 0).length;
      const codestreamBytes = tileBytes.reduce((sum, bytes) => sum + bytes, mainBytes + EOC.length);
      if (codestreamBytes + 8 > MAX_WRITTEN_BYTES) {
        throw tooLarge('jp2-too-large', `A JP2 file of ${codestreamBytes} bytes is over the limit of 4 GiB.`);
      }
      await file.write(EOC, end);
      await file.write(toHead(style, codestreamBytes), 0);
      return end + EOC.length;
    },
  };
}
