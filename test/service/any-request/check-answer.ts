import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { AnyRequest } from './any-request.ts';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Nothing is wrong with the scenes and one client asks at a time, so a failure of ours (5xx) is never the answer. */
const STATUSES: readonly number[] = [200, 400, 404, 413, 414, 422];

/** Checks that an answer is what the interface promises of every request, right or wrong. */
export async function checkAnswer(request: AnyRequest, answer: Answer): Promise<void> {
  const { status, bytes } = answer;
  assert.ok(STATUSES.includes(status), `status ${status}: ${bytes.toString().slice(0, 300)}`);
  if (status !== 200) return checkRefusal(answer);
  if (isPicture(request)) return checkPicture(request, answer);
  checkJson(request, JSON.parse(bytes.toString()));
}

/** Whether a request asks for an image. */
export const isPicture = ({ promised }: AnyRequest): boolean =>
  ['picture', 'preview', 'thumb', 'colorbar'].includes(promised);

function checkRefusal({ headers, bytes }: Answer): void {
  assert.equal(headers.get('content-type'), 'application/json');
  const { status, error, code } = JSON.parse(bytes.toString());
  assert.equal(status, false);
  assert.match(code, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  // A sentence; below it, perhaps, a picture of where band math is wrong.
  assert.match(error.split('\n')[0], /^\S.{10,1000}[.!?]$/, `no sentence: ${error}`);
  assert.doesNotMatch(error, /undefined|\[object|\/tmp\/|node_modules|\.ts:/);
}

async function checkPicture({ promised, query }: AnyRequest, { headers, bytes }: Answer): Promise<void> {
  const type = headers.get('content-type') ?? '';
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { format } = await sharp(bytes).metadata();
  assert.equal(type, `image/${format}`);
  assert.equal(data.length, info.width * info.height * info.channels);
  const given = new Map(query);
  const size = [info.width, info.height];
  if (promised === 'picture') {
    assert.deepEqual(size, (given.get('TILE_SIZE') ?? '256,256').split(',').map(Number));
    assert.equal(type, given.get('mimetype') ?? type);
  }
  if (promised === 'preview') assert.deepEqual([type, ...size], ['image/jpeg', 512, 512]);
  if (promised === 'thumb') assert.deepEqual([type, Math.max(...size)], ['image/png', 256]);
  if (promised === 'colorbar') {
    const [width, height] = [Number(given.get('WIDTH') ?? 256), Number(given.get('HEIGHT') ?? 24)];
    assert.deepEqual([type, ...size], ['image/png', width, height]);
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);

interface Ranges {
  readonly bands?: readonly { readonly band: string; readonly min?: number; readonly max?: number }[];
}

/** JSON has no infinities: where a number is promised, null would be one that got lost. */
function checkRanges({ bands = [] }: Ranges): void {
  for (const { band, min, max } of bands) {
    assert.ok(
      typeof band === 'string' && isNumber(min) && isNumber(max) && min <= max,
      JSON.stringify(bands),
    );
  }
}

/** Absolute colours have no range. */
const withRange = ({ bands = [] }: Ranges): Ranges => ({
  bands: bands.filter((one) => 'min' in one || 'max' in one),
});

interface LegendBody extends Ranges {
  readonly colors: readonly string[];
  readonly thresholds: readonly number[];
  readonly values?: readonly unknown[];
}

function checkLegend({ colors, thresholds, values, ...rest }: LegendBody): void {
  checkRanges(withRange(rest));
  assert.ok(colors.every((color) => /^#[0-9a-f]{6}$/i.test(color)));
  assert.ok(thresholds.every(isNumber), `thresholds ${thresholds}`);
  assert.ok(thresholds.every((value, i) => i === 0 || value >= (thresholds[i - 1] as number)));
  if (values !== undefined) assert.equal(values.length, colors.length);
  else if (colors.length > 0) assert.equal(thresholds.length, colors.length - 1);
}

interface JsonBody extends Ranges {
  readonly cloud?: unknown;
  readonly index_value?: unknown;
  readonly index_values?: readonly unknown[];
}

function checkJson({ promised }: AnyRequest, value: JsonBody & LegendBody): void {
  assert.ok(typeof value === 'object' && value !== null);
  if (promised === 'legend') checkLegend(value);
  if (promised === 'point') {
    const { index_value: only, index_values: all = [] } = value;
    assert.ok([only, ...all].every((one) => one === null || isNumber(one)));
  }
  if (promised === 'intensity') {
    const { bands, cloud } = value;
    assert.ok(Array.isArray(bands) && bands.length > 0);
    checkRanges(value);
    assert.ok(cloud === null || (isNumber(cloud) && cloud >= 0 && cloud <= 100), `cloud ${cloud}`);
  }
}
