import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../../errors.ts';
import { casesOf } from '../../testing/test-size.ts';
import { formatViewId, parseViewId, sensors } from '../index.ts';

const pad = (width: number) => (value: number) => String(value).padStart(width, '0');
const int = (min: number, max: number) => fc.integer({ min, max });
const letters = (from: string) => fc.constantFrom(...from);
const ordinal = (from: number, to: number) =>
  fc.tuple(int(from, to), int(1, 365)).map(([year, day]) => `${year}${pad(3)(day)}`);
const compact = (from: number, to: number) =>
  fc.tuple(int(from, to), int(1, 12), int(1, 28)).map(([y, m, d]) => `${y}${pad(2)(m)}${pad(2)(d)}`);

const sentinel2 = fc
  .record({ prefix: fc.constantFrom('S2', 'S2L2A'), zone: int(1, 60), column: int(0, 7), y: int(2015, 2040) })
  .chain(({ prefix, zone, column, y }) =>
    fc
      .tuple(
        letters('CDEFGHJKLMNPQRSTUVWX'),
        letters('ABCDEFGHJKLMNPQRSTUV'),
        int(1, 12),
        int(1, 28),
        int(0, 20),
      )
      .map(([band, row, month, day, sequence]) => {
        const square = `${['STUVWXYZ', 'ABCDEFGH', 'JKLMNPQR'][zone % 3]?.[column]}${row}`;
        return [prefix, zone, band, square, y, month, day, sequence].join('/');
      }),
  );
const landsat = fc.constantFrom(
  'L8/LC8',
  'L9/LO9',
  'L7/LE7',
  'L5TM/LT5',
  'L5MSS/LM5',
  'L4TM/LT4',
  'L4MSS/LM4',
);
const wrs = fc.tuple(int(1, 233), int(1, 248)).map((pair) => pair.map(pad(3)).join(''));
const landsatScene = fc
  .tuple(landsat, wrs, ordinal(1982, 2040), fc.constantFrom('LGN', 'CUB', 'SG1'), int(0, 99).map(pad(2)))
  .map((parts) => parts.join(''));
const landsatProduct = fc
  .tuple(
    landsat,
    fc.constantFrom('L1TP', 'L1GT', 'L1GS'),
    wrs,
    compact(1982, 2010),
    compact(2011, 2030),
    int(1, 2),
  )
  .map(([start, level, at, acquired, processed, collection]) => {
    const instrument = `${start.slice(0, -1)}0${start.slice(-1)}`;
    return [instrument, level, at, acquired, processed, `0${collection}`, 'T1'].join('_');
  });
const cbers4 = fc
  .tuple(
    fc.constantFrom('MUX', 'AWFI', 'PAN10M', 'PAN5M'),
    compact(2015, 2030),
    int(1, 373),
    int(1, 373),
    int(2, 4),
  )
  .map(([camera, date, path, row, level]) =>
    [`CBERS4${camera}/CBERS_4`, camera, date, pad(3)(path), pad(3)(row), `L${level}`].join('_'),
  );
const modis = fc
  .tuple(int(0, 35), int(0, 17), ordinal(2000, 2019), ordinal(2020, 2030), int(0, 23), int(0, 59))
  .map(([h, v, acquired, produced, hour, minute]) =>
    ['MODIS', pad(2)(h), pad(2)(v), acquired, `${produced}${pad(2)(hour)}${pad(2)(minute)}07`].join('/'),
  );
const naip = fc
  .tuple(
    fc.constantFrom('al', 'tx', 'wy'),
    fc.constantFrom('1m', '60cm'),
    fc.constantFrom('rgb', 'rgbir'),
    int(24, 49),
  )
  .chain(([state, resolution, samples, lat]) =>
    fc
      .tuple(int(66, 124), int(1, 64), fc.constantFrom('ne', 'sw'), compact(2003, 2025))
      .map(([lon, quad, side, day]) => {
        const square = `${lat}${pad(3)(lon)}`;
        const scene = ['m', `${square}${pad(2)(quad)}`, side, '16_060', day].join('_');
        return ['NAIP', state, day.slice(0, 4), resolution, samples, square, scene].join('/');
      }),
  );
const hex = (width: number) =>
  fc.string({ unit: letters('0123456789ABCDEF'), minLength: width, maxLength: width });
const sentinel1 = fc
  .tuple(
    fc.constantFrom('IW_GRDH', 'EW_GRDM', 'S3_GRDF'),
    fc.constantFrom('DV', 'DH', 'SV', 'SH'),
    compact(2014, 2030),
  )
  .chain(([mode, polarization, day]) =>
    fc.tuple(int(0, 23), int(1, 999_999), hex(6), hex(4)).map(([hour, orbit, take, checksum]) => {
      const [start, stop] = [`${day}T${pad(2)(hour)}0000`, `${day}T${pad(2)(hour)}0025`];
      return ['S1/S1A', mode, `1S${polarization}`, start, stop, pad(6)(orbit), take, checksum].join('_');
    }),
  );

const ofFixedWidth = fc.oneof(landsatScene, landsatProduct, cbers4, modis, sentinel1);
const right = fc.oneof(ofFixedWidth, sentinel2, naip);

test('any name that follows a grammar is parsed and written again', () => {
  fc.assert(
    fc.property(right, (text) => {
      const view = parseViewId(text);
      assert.equal(view.viewId, text);
      assert.equal(formatViewId(view.sensor, view.parts), text);
      assert.equal(new Date(view.date).toISOString().slice(0, 10), view.date);
    }),
    { numRuns: casesOf(3_000) },
  );
});

/** Changes that make any name invalid. */
const at = (text: string, share: number) => Math.min(text.length - 1, Math.floor(share * text.length));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const withForeignCharacter = fc
  .tuple(
    right,
    share,
    fc.constantFrom(' ', '-', '.', '%', '\0', '\n', '/', 'é', '٣', '０', '~', ':', '\\', "'", '*'),
  )
  .map(
    ([text, where, foreign]) => `${text.slice(0, at(text, where))}${foreign}${text.slice(at(text, where))}`,
  );
const withTail = fc
  .tuple(right, fc.constantFrom('/', '/0', ' ', '\n', '_', '0000', '/../..'))
  .map(([text, tail]) => text + tail);
const withoutOneCharacter = fc
  .tuple(ofFixedWidth, share)
  .map(([text, where]) => text.slice(0, at(text, where)) + text.slice(at(text, where) + 1));
const inOtherCase = fc
  .tuple(right, share)
  .map(([text, where]) => [text, text.charAt(at(text, where)), at(text, where)] as const)
  .filter(([, letter]) => /[A-Za-z]/.test(letter))
  .map(([text, letter, index]) => {
    const other = letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
    return text.slice(0, index) + other + text.slice(index + 1);
  });
const ofAnotherSensor = fc
  .tuple(fc.constantFrom(...sensors), fc.constantFrom(...sensors))
  .filter(
    ([one, other]) =>
      one !== other && !(one.dataset.startsWith('sentinel2') && other.dataset.startsWith('sentinel2')),
  )
  .map(([one, other]) => `${one.abbreviation}/${other.sceneName.example}`);
const onNoDay = fc.oneof(
  fc.tuple(int(13, 99), int(1, 28)).map(([m, d]) => `S2/36/U/XU/2016/${m}/${d}/0`),
  fc.tuple(int(1, 12), int(32, 99)).map(([m, d]) => `S2/36/U/XU/2016/${m}/${d}/0`),
  int(366, 999).map((day) => `L8/LC80110312017${day}LGN00`),
  int(367, 999).map((day) => `MODIS/12/04/2016${day}/2020001000000`),
  int(30, 99).map((day) => `CBERS4MUX/CBERS_4_MUX_201602${day}_163_128_L4`),
  int(31, 99).map((day) => `NAIP/al/2015/1m/rgb/30085/m_3008501_ne_16_1_201506${day}`),
  int(24, 99).map(
    (hour) => `S1/S1A_IW_GRDH_1SDV_20180716T${hour}4042_20180716T${hour}4107_022812_02792A_FD5B`,
  ),
);
const outOfBounds = fc.oneof(
  int(61, 9_999).map((zone) => `S2/${zone}/U/XU/2016/5/2/0`),
  int(234, 999).map((path) => `L7/LE7${path}0782013119ASA00`),
  int(249, 999).map((row) => `L5TM/LT5224${row}1988227CUB02`),
  int(36, 99).map((h) => `MODIS/${h}/04/2017204/2017213034223`),
  int(18, 99).map((v) => `MODIS/12/${v}/2017204/2017213034223`),
  int(374, 999).map((path) => `CBERS4AWFI/CBERS_4_AWFI_20170420_${path}_129_L2`),
  int(65, 99).map((quad) => `NAIP/al/2015/1m/rgb/30085/m_30085${quad}_ne_16_1_20150601`),
);
const wrong = fc.oneof(
  withForeignCharacter,
  withTail,
  withoutOneCharacter,
  inOtherCase,
  ofAnotherSensor,
  onNoDay,
  outOfBounds,
);

test('ten thousand wrong names are refused', () => {
  fc.assert(
    fc.property(wrong, (text) => {
      assert.throws(() => parseViewId(text), { tag: 'not-found' }, JSON.stringify(text));
    }),
    { numRuns: casesOf(10_000) },
  );
});

test('no string is parsed as something else', () => {
  const piece = fc.oneof(
    fc.constantFrom('S2', 'L8', 'MODIS', '36', 'U', 'XU', '2016', '5', '0', '..', ''),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
      const text = pieces.join('/');
      try {
        assert.equal(parseViewId(text).viewId, text);
      } catch (error) {
        assert.ok(isSwathError(error) && error.tag === 'not-found', String(error));
      }
    }),
    { numRuns: casesOf(2_000) },
  );
});
