/** What the server says about the pictures of a scene, and its pictures. */
import type { Box } from '../scenes/footprint.ts';
import { toBboxText } from '../scenes/ground.ts';
import type { Contrast } from '../scenes/picture.ts';
import { asNumber, asRecord } from '../scenes/read-json.ts';
import { toLegendPath, toVerbPath } from '../scenes/tile-template.ts';
import type { Point } from '../state/map-view.ts';
import type { Texts } from '../texts/en.ts';
import { toFailure, unknownForm } from './failure.ts';
import type { Legend } from './legend.ts';
import { parseLegend } from './legend.ts';
import type { Requests } from './requests.ts';
import { parseJson } from './requests.ts';

/** Band math that the server understood, or its error and where it is. */
export type CheckedExpression =
  | { readonly isGood: true; readonly bands: readonly string[] }
  | { readonly isGood: false; readonly error: string; readonly position: number | null };

interface ValueRequest {
  readonly viewId: string;
  readonly expressions: readonly string[];
  readonly point: Point;
  readonly isCalibrated: boolean;
}

interface RangeRequest {
  readonly viewId: string;
  readonly bands: string;
  /** Further parameters of the intensity range, `method=minmax`; empty for what the server does by itself. */
  readonly query: string;
  /** Only a part of the scene; `null` for all of it. */
  readonly ground: Box | null;
  readonly isCalibrated: boolean;
}

/** Between which values the server draws a picture. */
export interface DrawnRanges {
  readonly ranges: readonly Contrast[];
  /** The exponent of the curve between them; 1 for a straight line. */
  readonly gamma: number;
  /** Whether they are the fixed ones of natural colour, which are of calibrated values. */
  readonly isNatural: boolean;
}

/** The calls. */
export interface PictureCalls {
  /** What the colours mean of the pictures of this tile template; `null` where they mean nothing by themselves. */
  readLegend(template: string, signal?: AbortSignal): Promise<Legend | null>;
  /** A small picture of a whole scene. */
  readThumbnail(viewId: string, signal?: AbortSignal): Promise<Blob>;
  /** Values of expressions at a point, in their order; `null` where there is no number. */
  readValues(request: ValueRequest, signal?: AbortSignal): Promise<readonly (number | null)[]>;
  /** Values between which a picture is or may be stretched, by channel. */
  readRanges(request: RangeRequest, signal?: AbortSignal): Promise<readonly Contrast[]>;
  /** What a picture is drawn between; those of natural colour where they are wanted and the scene has them. */
  readDrawnRanges(
    request: Pick<RangeRequest, 'viewId' | 'bands' | 'isCalibrated'> & { readonly isNatural: boolean },
    signal?: AbortSignal,
  ): Promise<DrawnRanges>;
  /** A picture at an address from the page on. */
  readPicture(path: string, signal?: AbortSignal): Promise<Blob>;
  /** Whether band math can be computed for a scene. */
  checkExpression(viewId: string, text: string, signal?: AbortSignal): Promise<CheckedExpression>;
}

/** Decibels as the power that calibrated radar has. */
const fromDecibels = (value: number): number => 10 ** (value / 10);

const parseRanges = (ranges: unknown): readonly Contrast[] => {
  const numbers = (Array.isArray(ranges) ? ranges : []).flatMap((range: unknown) => {
    const { min: low, max: high, unit } = asRecord(range);
    const [min, max] = [asNumber(low), asNumber(high)];
    if (min === null || max === null) return [];
    return [unit === 'dB' ? { min: fromDecibels(min), max: fromDecibels(max) } : { min, max }];
  });
  if (numbers.length === 0) throw unknownForm();
  return numbers;
};

/** Builds them. */
export const makePictureCalls = (
  { request, withKey, readJson, readBlob }: Requests,
  texts: Texts,
): PictureCalls => ({
  readLegend: async (template, signal) =>
    parseLegend(await readJson(toLegendPath(template), {}, signal), texts),
  readThumbnail: (viewId, signal) => readBlob(`${toVerbPath(viewId, 'thumb')}?STRETCH=natural`, signal),
  async readValues({ viewId, expressions, point: { lat, lon }, isCalibrated }, signal) {
    const bands = encodeURIComponent(expressions.join());
    const query = isCalibrated ? '?CALIBRATE=1' : '';
    const path = `${toVerbPath(viewId, 'point')}/${bands}/${lat.toFixed(7)}/${lon.toFixed(7)}${query}`;
    const { index_value: one, index_values: many } = asRecord(await readJson(path, {}, signal));
    return Array.isArray(many) ? many.map(asNumber) : [asNumber(one)];
  },
  async readRanges({ viewId, bands, query, ground, isCalibrated }, signal) {
    const parts = [
      ...(query === '' ? [] : [query]),
      ...(ground === null ? [] : [`BBOX=${toBboxText(ground)}`]),
      ...(isCalibrated ? ['CALIBRATE=1'] : []),
    ];
    const path = `${toVerbPath(viewId, 'ir')}/${encodeURIComponent(bands)}?${parts.join('&')}`;
    const { bands: ranges } = asRecord(await readJson(path, {}, signal));
    return parseRanges(ranges);
  },
  async readDrawnRanges({ viewId, bands, isCalibrated, isNatural }, signal) {
    const parts = [...(isNatural ? ['STRETCH=natural'] : []), ...(isCalibrated ? ['CALIBRATE=1'] : [])];
    const query = parts.length === 0 ? '' : `?${parts.join('&')}`;
    const path = `${toVerbPath(viewId, 'ir')}/${encodeURIComponent(bands)}${query}`;
    const { bands: ranges, method } = asRecord(await readJson(path, {}, signal));
    const [first] = Array.isArray(ranges) ? ranges : [];
    return {
      ranges: parseRanges(ranges),
      gamma: asNumber(asRecord(first).gamma) ?? 1,
      isNatural: method === 'natural',
    };
  },
  readPicture: readBlob,
  async checkExpression(viewId, text, signal) {
    const slash = viewId.indexOf('/');
    const query = `?scene_id=${encodeURIComponent(viewId.slice(slash + 1))}`;
    const path = `api/render/${viewId.slice(0, slash)}/parse_vb/${encodeURIComponent(text)}${query}`;
    const response = await request(path, { headers: withKey() }, signal);
    const answer = await response.text();
    if (response.ok) {
      const { band_ids: bands } = asRecord(parseJson(answer));
      return { isGood: true, bands: Array.isArray(bands) ? bands.map(String) : [] };
    }
    if (response.status !== 422) throw toFailure(response.status, answer);
    return {
      isGood: false,
      error: toFailure(422, answer).message,
      position: asNumber(asRecord(parseJson(answer)).position),
    };
  },
});
