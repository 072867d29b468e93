import { writeFileSync } from 'node:fs';
import type { Asset, NewScene } from '../../../src/catalog/index.ts';
import { makeScene } from '../../../src/catalog/testing/make-scene.ts';
import { writeCogFile } from '../../../src/formats/cog/testing/write-cog.ts';
import { createJp2, makeJp2Encoder } from '../../../src/formats/jp2/index.ts';
import { SERVICE_KEY } from '../../support/start-swath.ts';
import type { FaultyStore } from './faulty-store.ts';

/** Sides of the images, in pixels of 10 m. */
export const SIDE = 1024;
const IMAGE = {
  width: SIDE,
  height: SIDE,
  bandCount: 1,
  epsg: 32631,
  transform: [500_000, 10, 0, 4_700_000, 0, -10],
} as const;

/** Writes a TIFF without a checksum: wrong bytes would be pixels. */
export const writeTiff = (path: string, pixels: Uint16Array): Promise<void> =>
  writeCogFile(
    path,
    {
      ...IMAGE,
      transform: [...IMAGE.transform],
      type: 'uint16',
      nodata: 0,
      compression: 'none',
      predictor: 1,
      blockSize: 256,
    },
    [pixels],
    SIDE,
  );

/** Writes a JPEG 2000 file; its pixels have 12 bits. */
export async function writeJp2(path: string, pixels: Uint16Array): Promise<void> {
  const options = { ...IMAGE, transform: [...IMAGE.transform] as const, bitsPerSample: 12, tileSize: 256 };
  const jp2 = await createJp2(path, options, makeJp2Encoder());
  await jp2.writeRows([pixels], SIDE);
  await jp2.finish();
}

/** A scene of three bands, each of one of these images. */
export function toImageScene(day: number, toHref: (band: string) => string, stamp?: string): NewScene {
  const toAsset = (band: string): [string, Asset] => [
    band,
    {
      ...(makeScene(1).assets.B04 as Asset),
      href: toHref(band),
      width: SIDE,
      height: SIDE,
      overviews: [{ width: SIDE / 2, height: SIDE / 2 }],
      scale: 1,
      offset: 0,
      ...(stamp === undefined ? {} : { stamps: [stamp] }),
    },
  ];
  return makeScene(day, { assets: Object.fromEntries(['B02', 'B03', 'B04'].map(toAsset)) });
}

/** Writes the settings that let a service read these stores. */
export function writeSources(path: string, stores: readonly FaultyStore[]): void {
  const ports = stores.map(({ origin }) => Number(new URL(origin).port));
  const network = { hosts: ['127.0.0.1'], allowHttp: true, ports, privateNetworks: ['127.0.0.0/8'] };
  writeFileSync(path, JSON.stringify(network));
}

/** A tile of one of these scenes: a picture, or the code of an error. */
export async function askTile(
  url: string,
  day: number,
  { key = SERVICE_KEY, tile = '13/4165/3028', signal = null as AbortSignal | null } = {},
) {
  const target = `${url}/api/render/S2/31/T/DH/2026/6/${day}/0/B04,B03,B02/${tile}?MIN_MAX=0,3000`;
  const answer = await fetch(target, { headers: { 'x-api-key': key }, signal });
  const bytes = Buffer.from(await answer.arrayBuffer());
  const code = answer.ok ? null : ((JSON.parse(bytes.toString()) as { code?: string }).code ?? null);
  return { status: answer.status, code, bytes };
}
