import type { Climate } from '../climate/climate.ts';
import { toDate, toDay, worldYears } from '../setting.ts';
import type { DemoPart } from './demo-part.ts';
import type { Shots } from './shots.ts';
import { fairSky, makeShots, skyOf } from './shots.ts';

/** How much of the world is made: one scene and the terrain, what a first start makes, or scenes of full size. */
export type DemoSize = 'small' | 'standard' | 'full';

/** Scenes of the series that come before the other sensors: a season to look at. */
const FIRST_OF_SERIES = 6;

/** The parts of the demo in the order in which they should appear on the map. */
export function planSet(size: DemoSize, climate: Climate): readonly DemoPart[] {
  const shots = makeShots(size === 'full');
  const first = shots.sentinel2('l2a', '2026-06-21', {
    area: shots.series,
    sky: fairSky(3, 0.04),
    sequence: 1,
  });
  // Second, so that heights are there from the first start on.
  const start = [first, shots.terrain()];
  if (size === 'small') return start;
  // The series' scene of that day would be of the same moment, with other clouds.
  const series = planSeries(shots, climate).filter((part) => momentOf(part) !== momentOf(first));
  const [overview, ...others] = planOthers(shots);
  return [
    ...[...start, overview as DemoPart],
    ...[...series.slice(0, FIRST_OF_SERIES), ...others, ...series.slice(FIRST_OF_SERIES)],
  ];
}

const momentOf = ({ plan }: DemoPart): number | null => (plan !== null && 'atMs' in plan ? plan.atMs : null);

/** Everything but the series; the whole world from far above comes first. */
function planOthers(shots: Shots): readonly DemoPart[] {
  const { area, sentinel2, landsat, modis, naip, cbers4, sentinel1 } = shots;
  const burnt = { area: area('fire', 12_000), finestM: 20, sequence: 1 };
  return [
    sentinel2('l2a', '2025-07-17', { area: shots.whole, finestM: 150, sky: fairSky(5), sequence: 1 }),
    // the forest before and after the fire, in both levels
    ...(['l2a', 'l1c'] as const).flatMap((level) => [
      sentinel2(level, '2026-08-02', burnt),
      sentinel2(level, '2026-08-17', burnt),
    ]),
    landsat('landsat8', '2025-07-14', { area: area('town', 13_000), sky: fairSky(7) }),
    sentinel2('l1c', '2026-06-21', { area: shots.series, sky: fairSky(3, 0.04), sequence: 1 }),
    // the flood, and the same ground dry
    sentinel1('descending', '2025-12-11', { area: area('town', 26_000) }),
    sentinel1('ascending', '2025-09-12', { area: area('town', 26_000) }),
    naip('rgbir', '2023-07-12', 'farm', 1000),
    naip('rgb', '2015-08-20', 'town', 700),
    shots.weather(),
    landsat('landsat8', '2026-08-18', { area: area('fire', 12_000) }),
    landsat('landsat9', '2026-05-06', { area: area('lake', 10_000), sky: fairSky(8) }),
    landsat('landsat8', '2019-08-06', { area: area('shore', 10_000), sky: fairSky(9), collection: 1 }),
    landsat('landsat7', '2008-07-22', { area: area('town', 13_000), sky: fairSky(10) }),
    landsat('landsat5tm', '1995-08-04', { area: area('town', 13_000), sky: fairSky(11, 0.01) }),
    landsat('landsat4tm', '1990-07-11', { area: area('town', 13_000), sky: fairSky(12, 0.02) }),
    landsat('landsat5mss', '1986-06-22', { area: area('town', 20_000), sky: fairSky(13) }),
    landsat('landsat4mss', '1983-08-19', { area: area('town', 20_000), sky: fairSky(14) }),
    ...['2017-05-25', '2017-07-28', '2025-08-13', '2026-08-13'].map(modis),
    // the cloud cover of CBERS-4 is unknown: a contrast that cannot allow for clouds needs few
    cbers4('MUX', '2018-07-09', { area: area('town', 12_000), sky: fairSky(15, 0.01) }),
    cbers4('AWFI', '2018-07-09', { area: area('town', 50_000), sky: fairSky(15, 0.01) }),
    cbers4('PAN10M', '2018-07-09', { area: area('town', 7_000), sky: fairSky(15, 0.01) }),
    cbers4('PAN5M', '2018-07-09', { area: area('town', 4_000), sky: fairSky(15, 0.01) }),
    // clouds as polygons, as they came before 2022, and a product as users download it
    sentinel2('l1c', '2021-06-14', { area: area('farm', 3000), sky: fairSky(16, 0.2) }),
    sentinel2('l1c', '2021-09-12', { area: area('farm', 3000), sky: fairSky(17, 0.3) }),
    sentinel2('l1c', '2026-04-09', { area: area('farm', 3000), sky: fairSky(18, 0.15), layout: 'safe' }),
  ];
}

/** Sentinel-2 comes every five days; one of two passes in a fortnight is taken. */
const EVERY_DAYS = 14;
const REVISIT_DAYS = 5;

/** Two years over the same fields: of each pair of passes the clearer one, newest first. */
function planSeries(shots: Shots, climate: Climate): DemoPart[] {
  const parts: DemoPart[] = [];
  const cloudinessOf = (day: number): number => climate.dayAt(day).cloudiness;
  for (let day = toDay(worldYears.last) - REVISIT_DAYS; day >= toDay(worldYears.first); day -= EVERY_DAYS) {
    const other = day + REVISIT_DAYS;
    const clearer = cloudinessOf(day) <= cloudinessOf(other) ? day : other;
    parts.push(shots.sentinel2('l2a', toDate(clearer), { area: shots.series, sky: skyOf(climate, clearer) }));
  }
  return parts;
}
