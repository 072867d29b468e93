import { makeProjection } from '../src/proj/index.ts';
import { sensorByDataset } from '../src/sensors/index.ts';
import { openWorld } from '../test/world/shared-world.ts';
import { findTruth, toLocalPoint } from '../world/demo/truth.ts';
import type { Field } from '../world/ground/ground.ts';
import type { World } from '../world/ground/world.ts';
import { epsg, frame } from '../world/setting.ts';

/** What a point of the curve is made of. */
interface Measured {
  readonly date: string;
  readonly cloud: number | null;
  readonly values: Readonly<Record<string, { readonly average: number | null; readonly root_zone?: number }>>;
}

const PERIOD = { date_start: '2024-10-01', date_end: '2026-09-30' };
const DAY_MS = 86_400_000;
const SIZE = { width: 920, height: 360, left: 52, right: 56, top: 34, bottom: 40 };

const middleOf = ({ ring }: Field) => ({
  x: ring.slice(1).reduce((sum, [x]) => sum + x, 0) / (ring.length - 1),
  y: ring.slice(1).reduce((sum, [, y]) => sum + y, 0) / (ring.length - 1),
});

/** The true NDVI of a field on a day; null if the field does not contain its own middle. */
function trueNdvi(world: World, field: Field, ms: number): number | null {
  const sensor = sensorByDataset('sentinel2l2a');
  if (sensor === null) return null;
  const { field: found } = findTruth(world, middleOf(field), { sensor, atMs: ms, sky: null });
  return found?.id === field.id ? found.meanNdvi : null;
}

/** The middle of the ground that the demo has most scenes of. */
const MIDDLE = { longitude: -122.4025, latitude: 48.2216 };

/** A field of some hectares there whose NDVI rises most from winter to summer. */
function chooseField(world: World): Field {
  const { x, y } = toLocalPoint(MIDDLE.longitude, MIDDLE.latitude);
  const near = world.ground.fieldsIn({ minX: x - 1_000, minY: y - 1_000, maxX: x + 1_000, maxY: y + 1_000 });
  const rises = near.flatMap((field) => {
    const [xs, ys] = [field.ring.map(([east]) => east), field.ring.map(([, south]) => south)];
    const sideM = Math.max(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
    const [winter, summer] = ['2026-02-10', '2026-06-19'].map((date) =>
      trueNdvi(world, field, Date.parse(`${date}T19:10:00Z`)),
    ) as [number | null, number | null];
    return winter === null || summer === null || sideM < 250 || sideM > 800
      ? []
      : [{ field, rise: summer - winter }];
  });
  const best = rises.toSorted((a, b) => b.rise - a.rise)[0];
  if (best === undefined) throw new Error('no field is suitable');
  return best.field;
}

async function ask(url: string, key: string, body: object): Promise<readonly Measured[]> {
  const response = await fetch(`${url}/api/statistics`, {
    method: 'POST',
    headers: { 'x-api-key': key },
    body: JSON.stringify({ ...PERIOD, limit: 500, ...body }),
  });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return ((await response.json()) as { results: readonly Measured[] }).results;
}

/** Two years of a field of the demo world as an SVG: NDVI by scene, that of the world, and soil moisture. */
export async function drawFieldCurve(url: string, key: string): Promise<string> {
  const world = await openWorld();
  const field = chooseField(world);
  const { inverse } = makeProjection(4326, epsg);
  const geometry = {
    type: 'Polygon',
    coordinates: [field.ring.map(([x, y]) => inverse(frame.west + x, frame.north - y))],
  };
  const scenes = await ask(url, key, { geometry, expressions: 'NDVI', sensors: ['sentinel2l2a'] });
  // An order has 500 days at most.
  const [older, newer] = await Promise.all([
    ask(url, key, { geometry, expressions: 'soilmoisture', date_end: '2025-09-30' }),
    ask(url, key, { geometry, expressions: 'soilmoisture', date_start: '2025-10-01' }),
  ]);
  return drawSvg({
    scenes,
    moisture: [...newer, ...older],
    truth: (ms) => trueNdvi(world, field, ms),
  });
}

interface Curves {
  readonly scenes: readonly Measured[];
  readonly moisture: readonly Measured[];
  readonly truth: (ms: number) => number | null;
}

const [firstMs, lastMs] = [Date.parse(PERIOD.date_start), Date.parse(PERIOD.date_end)];
const toX = (ms: number): number =>
  SIZE.left + ((ms - firstMs) / (lastMs - firstMs)) * (SIZE.width - SIZE.left - SIZE.right);
const toY = (share: number): number =>
  SIZE.height - SIZE.bottom - share * (SIZE.height - SIZE.top - SIZE.bottom);
const at = (ms: number, share: number): string => `${toX(ms).toFixed(1)},${toY(share).toFixed(1)}`;
const toMs = ({ date }: Measured): number => Date.parse(`${date}T19:10:00Z`);

/** Shares of the height: NDVI from 0 to 1, moisture from 0 to 0.5. */
const MAX_MOISTURE = 0.5;
/** More clouds than this, and the point is drawn hollow. */
const CLOUDY_PERCENT = 20;

function drawSvg({ scenes, moisture, truth }: Curves): string {
  const days = Array.from(
    { length: Math.round((lastMs - firstMs) / DAY_MS / 3) },
    (_, i) => firstMs + 3 * i * DAY_MS,
  );
  const line = days.flatMap((ms) => {
    const ndvi = truth(ms + 0.8 * DAY_MS);
    return ndvi === null ? [] : [at(ms, Math.max(0, ndvi))];
  });
  const wet = (read: (day: Measured) => number | null | undefined): string =>
    moisture
      .toReversed()
      .flatMap((day) => {
        const value = read(day);
        return value == null ? [] : [at(Date.parse(day.date), value / MAX_MOISTURE)];
      })
      .join(' ');
  const dots = scenes.flatMap((scene) => {
    const average = scene.values.NDVI?.average ?? null;
    if (average === null) return [];
    const isCloudy = (scene.cloud ?? 0) > CLOUDY_PERCENT;
    const [x, y] = at(toMs(scene), Math.max(0, average)).split(',');
    return [`<circle cx="${x}" cy="${y}" r="4" class="${isCloudy ? 'hollow' : 'dot'}"/>`];
  });
  const months = Array.from({ length: 9 }, (_, i) => Date.UTC(2024, 9 + 3 * i, 1)).filter(
    (ms) => ms <= lastMs,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="sans-serif" font-size="12">
<title>Two years of a field: NDVI by scene, and soil moisture</title>
<style>.dot{fill:#1b7837}.hollow{fill:#fff;stroke:#1b7837;stroke-width:1.5}.truth{fill:none;stroke:#a6dba0;stroke-width:3}.wet{fill:none;stroke:#2b6cb0;stroke-width:1}.root{fill:none;stroke:#2b6cb0;stroke-width:2;stroke-dasharray:5 3}text{fill:#444}.grid{stroke:#ddd}</style>
<rect width="100%" height="100%" fill="#fff"/>
${[0, 0.2, 0.4, 0.6, 0.8, 1].map((share) => `<line class="grid" x1="${SIZE.left}" x2="${SIZE.width - SIZE.right}" y1="${toY(share)}" y2="${toY(share)}"/><text x="${SIZE.left - 8}" y="${toY(share) + 4}" text-anchor="end">${share}</text><text x="${SIZE.width - SIZE.right + 8}" y="${toY(share) + 4}" fill="#2b6cb0">${(share * MAX_MOISTURE).toFixed(1)}</text>`).join('\n')}
${months.map((ms) => `<text x="${toX(ms)}" y="${SIZE.height - 18}" text-anchor="middle">${new Date(ms).toISOString().slice(0, 7)}</text>`).join('\n')}
<polyline class="truth" points="${line.join(' ')}"/>
<polyline class="wet" points="${wet((day) => day.values.soilmoisture?.average)}"/>
<polyline class="root" points="${wet((day) => day.values.soilmoisture?.root_zone)}"/>
${dots.join('\n')}
<g transform="translate(${SIZE.left}, 18)"><circle cx="4" cy="-4" r="4" class="dot"/><text x="14">NDVI of scenes</text><circle cx="124" cy="-4" r="4" class="hollow"/><text x="134">partly cloudy, clouds masked</text><line class="truth" x1="322" x2="346" y1="-4" y2="-4"/><text x="352">NDVI of the demo world</text><line class="wet" x1="508" x2="532" y1="-4" y2="-4"/><text x="538">soil moisture, surface, m³/m³</text><line class="root" x1="722" x2="746" y1="-4" y2="-4"/><text x="752">root zone</text></g>
</svg>
`;
}
