import { makeProjection } from '../../../src/proj/index.ts';
import type { World } from '../../ground/world.ts';
import { epsg, frame } from '../../setting/frame.ts';
import type { RadarPass } from './radar-pass.ts';

/** A location whose line and pixel are known, counted from the middle of the first pixel. */
export interface GridPoint {
  readonly line: number;
  readonly pixel: number;
  readonly lon: number;
  readonly lat: number;
  readonly heightM: number;
}

/** As in real products. */
const ACROSS = 21;
const DOWN = 10;
/** A nanodegree is a tenth of a millimetre, and hides how machines round sines. */
const DIGITS = 9;

/** Longitude and latitude of local metres. */
export function toDegrees(x: number, y: number): readonly [lon: number, lat: number] {
  const [lon, lat] = makeProjection(epsg, 4326).forward(frame.west + x, frame.north - y);
  return [Number(lon.toFixed(DIGITS)), Number(lat.toFixed(DIGITS))];
}

/** The geolocation grid of an image, line after line. */
export function toGeolocationGrid(pass: RadarPass, { ground }: World): readonly GridPoint[] {
  return Array.from({ length: ACROSS * DOWN }, (_, i) => {
    const pixel = Math.round(((i % ACROSS) * (pass.width - 1)) / (ACROSS - 1));
    const line = Math.round((Math.floor(i / ACROSS) * (pass.height - 1)) / (DOWN - 1));
    const [x, y] = pass.toLocal(line, pixel);
    const [lon, lat] = toDegrees(x, y);
    const isInWorld = x >= 0 && y >= 0 && x <= frame.sizeM && y <= frame.sizeM;
    return { line, pixel, lon, lat, heightM: isInWorld ? ground.heightAt(x, y) : 0 };
  });
}
