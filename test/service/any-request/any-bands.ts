import fc from 'fast-check';
import type { Scene } from '../../../src/catalog/index.ts';
import type { Sensor } from '../../../src/sensors/index.ts';
import { aliasNames, findAlias, sensorByDataset, sensors } from '../../../src/sensors/index.ts';
import { anyText } from '../../../src/testing/any-text.ts';
import { rarely } from './any-query.ts';

/** Functions by how many numbers they take. */
const FUNCTIONS: readonly (readonly string[])[] = [
  'sin arcsin unwrap cosh arctanh around rint trunc exp log log2 log1p reciprocal modf sqrt cbrt square abs sign logical_not negative',
  'arctan2 hypot logaddexp copysign ldexp nextafter add subtract divide floor_divide power float_power mod fmod divmod minimum fmax heaviside logical_and greater less_equal equal isclose allclose array_equal',
  'clip where',
].map((names) => names.split(' '));
const NUMBERS = [
  '0',
  '1',
  '2',
  '0.5',
  '1.0',
  '1e30',
  '1e-40',
  '-3',
  '3000',
  '4294967296',
  '1e999',
  'pi',
  'NODATA',
];
/** Right or wrong, none of them is common. */
const ODD = [
  ...[
    '',
    ' ',
    'B99',
    'nope',
    '(',
    'B04+',
    '((((',
    'B04,,B03',
    'B04,B03',
    'B04,B03,B02,B08',
    ',',
    '1/0',
    '2^2^2^2^9',
  ],
  ...[
    'constructor',
    '__proto__',
    'B04/0',
    '0*B04',
    'B04;B03',
    '…',
    'PS:',
    'PS:B8',
    'where(B04)',
    '1',
    '1.5,2,3',
  ],
  ...['sin(sin(sin(sin(sin(sin(sin(B04)))))))', '-'.repeat(200), `${'('.repeat(300)}B04`, 'B04'.repeat(400)],
  // Expensive: many steps a pixel.
  ...[
    Array.from({ length: 40 }, (_, i) => `sin(RED*${i}.5)`).join('+'),
    `${'sqrt('.repeat(60)}RED${')'.repeat(60)}`,
  ],
];

/** What a request may have as bands: those of the scene, aliases, band math, patterns for sharpening, and nonsense. */
export function anyBands(scene: Scene): fc.Arbitrary<string> {
  const sensor = sensorByDataset(scene.dataset) as Sensor;
  const names = Object.keys(scene.assets);
  const band = fc.constantFrom(...names);
  const spelled = fc.constantFrom(
    ...sensor.bands.flatMap(({ name, spellings, role }) => [name, ...spellings, role ?? name]),
  );
  const alien = fc.constantFrom(...sensors.flatMap(({ bands }) => bands.map(({ name }) => name)));
  const known = aliasNames.filter((name) => findAlias(sensor, name) !== null);
  const alias = known.length === 0 ? band : rarely(fc.constantFrom(...aliasNames), fc.constantFrom(...known));
  const { math } = fc.letrec<{ math: string; call: string; sum: string }>((tie) => ({
    math: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      { arbitrary: band, weight: 4 },
      { arbitrary: fc.constantFrom(...NUMBERS), weight: 2 },
      { arbitrary: alias, weight: 1 },
      { arbitrary: tie('sum'), weight: 4 },
      { arbitrary: tie('call'), weight: 4 },
    ),
    sum: fc
      .tuple(tie('math'), fc.constantFrom('+', '-', '*', '/', '^', '**'), tie('math'))
      .map(([left, sign, right]) => `(${left}${sign}${right})`),
    call: fc
      .constantFrom(1, 2, 2, 3)
      .chain((count) => {
        const given = { minLength: count, maxLength: count };
        return fc.tuple(
          rarely(
            fc.constantFrom(...FUNCTIONS.flat(), 'foo'),
            fc.constantFrom(...(FUNCTIONS[count - 1] ?? [])),
          ),
          fc.array(tie('math'), given),
        );
      })
      .map(([name, given]) => `${name}(${given.join()})`),
  }));
  const pan = fc.constantFrom('B8', 'B8', 'B8', sensor.pansharpening?.panBand ?? 'B8', 'B1', 'x');
  const pattern = fc
    .tuple(fc.constantFrom('PS', 'ps', ' PS'), fc.array(band, { minLength: 1, maxLength: 3 }), pan)
    .map(([start, shown, last]) => `${start}:${shown.join(':')}:${last}`);
  const three = (of: fc.Arbitrary<string>) => fc.tuple(of, of, of).map((all) => all.join());
  return fc.oneof(
    { arbitrary: band, weight: 6 },
    { arbitrary: three(band), weight: 6 },
    { arbitrary: spelled, weight: 2 },
    { arbitrary: alias, weight: 4 },
    { arbitrary: math, weight: 6 },
    { arbitrary: three(math), weight: 2 },
    { arbitrary: pattern, weight: sensor.pansharpening === null ? 1 : 5 },
    { arbitrary: alien, weight: 1 },
    { arbitrary: fc.constantFrom(...ODD), weight: 1 },
    { arbitrary: anyText({ maxLength: 12 }), weight: 1 },
  );
}
