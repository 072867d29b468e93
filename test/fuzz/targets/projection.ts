import { makeProjection } from '../../../src/proj/index.ts';
import { projCases } from '../../oracle/proj/proj-cases.ts';
import type { FuzzTarget } from '../target.ts';

const PLACES = [
  [0, 0],
  [10, 50],
  [-179.9, 89.9],
  [180, -90],
  [500_000, 5_000_000],
  [1e9, -1e9],
  [Number.NaN, 1],
  [1e308, 1e308],
] as const;

const PROJ_TOKENS = [
  ...'longlat utm tmerc merc lcc aea laea stere sterea sinu eqc eqdc cea aeqd'.split(' '),
  ...'lat_0=90 lat_0=-90 lat_0=45 lat_0=1e308 lat_1=45 lat_1=-45 lat_2=45 lat_2=1e-9 lat_ts=90'.split(' '),
  ...'lon_0=180 lon_0=1e9 x_0=1e300 k=0 k_0=-1 a=1 b=6e6 rf=0 rf=1 R=0 R=6371007 to_meter=0 pm=360'.split(
    ' ',
  ),
  ...'ellps=GRS80 ellps=sphere units=us-ft datum=WGS84 datum=NAD83 towgs84=1,2,3,4,5,6,7 over south'.split(
    ' ',
  ),
  ...'zone=61 zone=0 zone=-1 nadgrids=@null wktext'.split(' '),
].flatMap((word) => [word, ` +${word}`]);
const WKT_TOKENS =
  'PROJCS[ GEOGCS[ PROJCRS[ BOUNDCRS[ DATUM[ SPHEROID[ PARAMETER[ PROJECTION[ UNIT[ AXIS[ CS[ METHOD[ EXTENSION["PROJ4"," ID["EPSG", TOWGS84[ "Lambert_Conformal_Conic_2SP" "Mercator_1SP" "Transverse_Mercator"';

/** Reference systems as text, and positions put through what was made of it. */
export const projection: FuzzTarget = {
  name: 'projection',
  maxBytes: 20 * 1024,
  tokens: [
    ...PROJ_TOKENS,
    ...WKT_TOKENS.split(' '),
    ...['0', '-1', '90', '-90', '1e-320', '1e308', '45', '1e999', '[', ']', '"', '""', ',', ' ', '{', '='],
  ],
  readSeeds: () => projCases.flatMap(({ crs }) => (typeof crs === 'string' ? [Buffer.from(crs)] : [])),
  run(input) {
    const { forward, inverse } = makeProjection(Buffer.from(input).toString(), 4326);
    for (const [x, y] of PLACES) {
      for (const position of [forward(x, y), inverse(x, y)]) {
        const [toX, toY] = position;
        // both or neither: half a position is useless
        if (position.length !== 2 || Number.isFinite(toX) !== Number.isFinite(toY))
          throw new Error(`a position became ${JSON.stringify(position)}`);
      }
    }
  },
};
