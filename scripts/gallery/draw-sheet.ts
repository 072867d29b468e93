import sharp from 'sharp';
import type { GallerySheet } from './sheet.ts';

/** Side of a picture in the sheet, and the space between two. */
const TILE_PX = 256;
const GAP_PX = 6;

/** Sheets stay small enough for a page to load and a repository to keep. */
const MAX_BYTES = 250_000;
const QUALITIES = [88, 82, 76, 70, 64, 58] as const;

/** What is transparent shows the page, in the grey of neither light nor dark. */
const BACKGROUND = { r: 206, g: 212, b: 218, alpha: 1 };

/** Puts the pictures of a sheet together as a JPEG; `readPicture` gets the bytes of an address. */
export async function drawSheet(
  sheet: GallerySheet,
  readPicture: (address: string) => Promise<Buffer>,
): Promise<Buffer> {
  const rows = Math.ceil(sheet.pictures.length / sheet.columns);
  const parts = [];
  for (const [i, { address }] of sheet.pictures.entries()) {
    const [column, row] = [i % sheet.columns, Math.floor(i / sheet.columns)];
    const { bytes, left, top } = await fit(await readPicture(address));
    const step = TILE_PX + GAP_PX;
    parts.push({ input: bytes, left: GAP_PX + column * step + left, top: GAP_PX + row * step + top });
  }
  const sideOf = (count: number): number => GAP_PX + count * (TILE_PX + GAP_PX);
  const size = { width: sideOf(sheet.columns), height: sideOf(rows) };
  const whole = await sharp({ create: { ...size, channels: 4, background: BACKGROUND } })
    .composite(parts)
    .removeAlpha()
    .png()
    .toBuffer();
  return encode(whole, sheet.name);
}

/** The picture in the middle of its cell: a larger one reduced, a tiny one enlarged so that its pixels can be seen. */
async function fit(picture: Buffer): Promise<{ bytes: Buffer; left: number; top: number }> {
  const { width, height } = await sharp(picture).metadata();
  const longer = Math.max(width, height);
  const enlarged = Math.max(1, Math.floor(TILE_PX / longer));
  const scale = longer > TILE_PX ? TILE_PX / longer : enlarged;
  const [shownWidth, shownHeight] = [Math.round(width * scale), Math.round(height * scale)];
  const bytes = await sharp(picture)
    .resize(shownWidth, shownHeight, { kernel: scale > 1 ? 'nearest' : 'lanczos3' })
    .ensureAlpha()
    .png()
    .toBuffer();
  return {
    bytes,
    left: Math.floor((TILE_PX - shownWidth) / 2),
    top: Math.floor((TILE_PX - shownHeight) / 2),
  };
}

async function encode(whole: Buffer, name: string): Promise<Buffer> {
  for (const quality of QUALITIES) {
    const bytes = await sharp(whole).jpeg({ quality, chromaSubsampling: '4:4:4', mozjpeg: true }).toBuffer();
    if (bytes.length <= MAX_BYTES) return bytes;
  }
  throw new Error(`The sheet ${name} does not fit into ${MAX_BYTES} bytes: it has too many pictures.`);
}
