/** The colours that are really on the screen where the map is. */
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { whenHolds } from '../../src/testing/wait-for.ts';
import { parseAddress } from '../../web/state/address.ts';
import type { MapView } from '../../web/state/map-view.ts';

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** A picture of the map with its view, so that a colour can be read by longitude and latitude. */
export interface MapPixels {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Four bytes a pixel, row by row from the top left corner. */
  readonly rgba: Buffer;
  readonly view: MapView;
  /** The colour at a pixel of the map, counted from its top left corner. */
  at(xPx: number, yPx: number): Rgb;
  /** The pixel of a position in degrees, which may lie outside the picture. */
  toPixel(lon: number, lat: number): { xPx: number; yPx: number };
  /** The colour at a position in degrees. */
  atLonLat(lon: number, lat: number): Rgb;
}

/** Waits until the map has drawn everything it was asked for. */
export const whenMapIdle = async (page: Page): Promise<void> => {
  await page.locator('#map[aria-busy="false"]').waitFor();
};

/** Web Mercator in units of the world's width, 0 to 1. */
const toWorld = (lon: number, lat: number): [x: number, y: number] => {
  const sine = Math.sin((lat * Math.PI) / 180);
  return [lon / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
};

/** Decodes a PNG to 8-bit RGBA. */
const decodePng = async (png: Uint8Array): Promise<{ rgba: Buffer; widthPx: number; heightPx: number }> => {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { rgba: data, widthPx: info.width, heightPx: info.height };
};

/** A picture of the map when everything is drawn, controls over it included; the page's device scale must be 1. */
export const readMapPixels = async (page: Page): Promise<MapPixels> => {
  await whenMapIdle(page);
  return readMapPixelsNow(page);
};

/**
 * A picture of the map that passes a check, which throws an assertion error for any other one: after some steps the map has
 * nothing to do for a moment and begins with what was asked for only then.
 */
export const whenDrawn = (page: Page, check: (pixels: MapPixels) => void): Promise<MapPixels> =>
  whenHolds(async () => {
    const pixels = await readMapPixels(page);
    check(pixels);
    return pixels;
  });

/** A picture of the map while it may still be waiting for something. */
export const readMapPixelsNow = async (page: Page): Promise<MapPixels> => {
  const { rgba, widthPx, heightPx } = await decodePng(await page.locator('#map').screenshot());
  const { view } = parseAddress(new URL(page.url()).hash);
  if (view === null) throw new Error('The address of the page holds no view of the map.');

  const at = (xPx: number, yPx: number): Rgb => {
    if (xPx < 0 || yPx < 0 || xPx >= widthPx || yPx >= heightPx) {
      throw new Error(`The pixel ${xPx}, ${yPx} is outside the map of ${widthPx} x ${heightPx}.`);
    }
    const offset = (Math.floor(yPx) * widthPx + Math.floor(xPx)) * 4;
    return [rgba[offset]!, rgba[offset + 1]!, rgba[offset + 2]!];
  };
  const toPixel = (lon: number, lat: number): { xPx: number; yPx: number } => {
    // MapLibre's zoom 0 is a world of 512 pixels.
    const worldPx = 512 * 2 ** view.zoom;
    const [x, y] = toWorld(lon, lat);
    const [middleX, middleY] = toWorld(view.lon, view.lat);
    return { xPx: widthPx / 2 + (x - middleX) * worldPx, yPx: heightPx / 2 + (y - middleY) * worldPx };
  };
  const atLonLat = (lon: number, lat: number): Rgb => {
    const { xPx, yPx } = toPixel(lon, lat);
    return at(xPx, yPx);
  };
  return { widthPx, heightPx, rgba, view, at, toPixel, atLonLat };
};
