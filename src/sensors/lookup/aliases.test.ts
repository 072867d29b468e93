import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aliasNames, findAlias, sensorByAbbreviation, sensors } from '../index.ts';

const at = (abbreviation: string) => sensorByAbbreviation(abbreviation)!;
const expression = (abbreviation: string, name: string): string | null => {
  const alias = findAlias(at(abbreviation), name);
  return alias?.kind === 'index' ? alias.expression : null;
};

/** Evaluates band math of numbers, names, + - * / ^, brackets, sqrt and log10, independently of `bandmath`. */
function evaluate(text: string, values: Readonly<Record<string, number>>): number {
  const tokens = text.match(/[A-Za-z][A-Za-z0-9_]*|[0-9]+\.[0-9]+|[-+*/^()]/g) ?? [];
  assert.equal(tokens.join(''), text, 'whole numbers have no decimal point, or something strange is there');
  let position = 0;
  const take = () => tokens[position++] ?? assert.fail(`${text} ends too early`);
  const atom = (): number => {
    const token = take();
    const call = { sqrt: Math.sqrt, log10: Math.log10 }[token];
    if (token === '(' || call !== undefined) {
      if (call !== undefined) assert.equal(take(), '(');
      const inner = sum();
      assert.equal(take(), ')');
      return call === undefined ? inner : call(inner);
    }
    return values[token] ?? (/^[0-9]/.test(token) ? Number(token) : assert.fail(`${token} has no value`));
  };
  const chain = (operators: string, next: () => number): number => {
    let left = next();
    while (position < tokens.length && operators.includes(tokens[position] ?? ' ')) {
      const operator = take();
      const right = next();
      if (operator === '^') left **= right;
      else if (operator === '*') left *= right;
      else if (operator === '/') left /= right;
      else left += operator === '+' ? right : -right;
    }
    return left;
  };
  const product = () => chain('*/', () => chain('^', atom));
  const sum = (): number => chain('+-', product);
  const value = sum();
  assert.equal(position, tokens.length, `${text} goes on after its end`);
  return value;
}

const OPTICAL =
  'ARVI CCCI EVI FIDET GCI GNDVI ISTACK MSAVI MSI NBR NDMI NDRE NDSI NDVI NDWI PR_FD RECI SAVI SIPI'.split(
    ' ',
  );
const RADAR = 'HH_DB HH_HV_DB HV_DB RADAR_HH RADAR_VV VH_DB VV_DB VV_VH_DB'.split(' ');

test('the aliases are those of docs/use/band-math.md, and no others', () => {
  assert.deepEqual(aliasNames.toSorted(), [...OPTICAL, ...RADAR].toSorted());
});

test('expressions are the published ones', () => {
  assert.equal(expression('S2', 'NDVI'), '(B08-B04)/(B08+B04)');
  assert.equal(expression('L8', 'NDVI'), '(B5-B4)/(B5+B4)');
  assert.equal(expression('L8', 'NDWI'), '(B3-B5)/(B3+B5)');
  assert.equal(expression('L8', 'NDSI'), '(B3-B6)/(B3+B6)');
  assert.equal(expression('S2', 'FIDET'), 'B12/(B8A*B09)');
  assert.equal(expression('S2', 'RECI'), 'B08/B05-1.0');
  assert.equal(expression('L8', 'RECI'), 'B5/B4-1.0');
  assert.equal(expression('L5MSS', 'ndvi'), '(B4-B2)/(B4+B2)');
  assert.equal(expression('CBERS4AWFI', 'Ndvi'), '(BAND16-BAND15)/(BAND16+BAND15)');
  assert.equal(expression('NAIP', 'NDVI'), '(N-R)/(N+R)');
});

test('index values match the literature', () => {
  const reflectance = {
    B01: 0.12,
    B02: 0.1,
    B03: 0.11,
    B04: 0.08,
    B05: 0.13,
    B06: 0.25,
    B07: 0.32,
    B08: 0.38,
    B8A: 0.4,
    B09: 0.15,
    B11: 0.2,
    B12: 0.1,
  };
  const expected = {
    NDVI: 0.652174,
    NDSI: -0.290323,
    NDWI: -0.55102,
    NDMI: 0.310345,
    MSI: 0.526316,
    RECI: 1.923077,
    EVI: 0.675676,
    SAVI: 0.46875,
    MSAVI: 0.462388,
    ARVI: 0.727273,
    GCI: 2.454545,
    SIPI: 0.933333,
    NBR: 0.583333,
    NDRE: 0.490196,
    CCCI: 0.751634,
    GNDVI: 0.55102,
    FIDET: 1.666667,
  };
  for (const [name, value] of Object.entries(expected)) {
    const found = evaluate(expression('S2', name) ?? '', reflectance);
    assert.ok(Math.abs(found - value) < 1e-6, `${name}: ${found}`);
  }
  const landsat = { B2: 0.1, B3: 0.11, B4: 0.08, B5: 0.38 };
  assert.ok(Math.abs(evaluate(expression('L8', 'RECI') ?? '', landsat) - 3.75) < 1e-9);
});

test('decibels are those of sigma nought, and the ratio of two polarisations is their difference', () => {
  const values = { VV: 0.1, VH: 0.01 };
  assert.ok(Math.abs(evaluate(expression('S1', 'VV_DB') ?? '', values) + 10) < 1e-9);
  assert.ok(Math.abs(evaluate(expression('S1', 'vh_db') ?? '', values) + 20) < 1e-9);
  assert.ok(Math.abs(evaluate(expression('S1', 'VV_VH_DB') ?? '', values) - 10) < 1e-9);
  const alias = findAlias(at('S1'), 'RADAR_VV');
  assert.ok(alias?.kind === 'composite' && alias.of.every(({ needsReflectance }) => needsReflectance));
});

test('an index with additive constants requires reflectance, others do not', () => {
  const requiring = aliasNames.filter((name) => {
    const alias = findAlias(at('S2'), name);
    return alias?.kind === 'index' && alias.needsReflectance;
  });
  assert.deepEqual(requiring.toSorted(), ['EVI', 'FIDET', 'MSAVI', 'SAVI']);
});

test('composites and changes are made of indices', () => {
  const stack = findAlias(at('S2'), 'ISTACK');
  assert.deepEqual(stack?.kind === 'composite' && stack.of.map(({ name }) => name), ['NDVI', 'NDWI', 'NDSI']);
  const fire = findAlias(at('S2'), 'pr_fd');
  assert.ok(fire?.kind === 'change');
  assert.deepEqual([fire.name, fire.of], ['PR_FD', findAlias(at('S2'), 'FIDET')]);
  const whenOf = (abbreviation: string) => {
    const alias = findAlias(at(abbreviation), 'PR_FD');
    assert.ok(alias?.kind === 'change');
    return alias.when.map(({ scene, of }) => `${scene} ${of.expression}`);
  };
  const trees =
    'earlier logical_and(greater_equal((B08-B04)/(B08+B04),0.5),greater_equal((B08-B11)/(B08+B11),0.1))';
  assert.deepEqual(whenOf('S2'), [trees]);
  const [first, now, before] = whenOf('S2L2A');
  assert.equal(first, trees, 'of the scene before the fire');
  assert.match(now ?? '', /^this logical_and/);
  assert.deepEqual(
    [...(now ?? '').matchAll(/SCL,(\d+)/g)].map(([, of]) => of),
    ['3', '8', '9', '10'],
  );
  assert.equal(before, now?.replace('this', 'earlier'));
});

test('a sensor has the aliases whose bands it has, written with its own bands only', () => {
  const having = (abbreviation: string) =>
    aliasNames.filter((name) => findAlias(at(abbreviation), name) !== null);
  assert.deepEqual(having('S2').toSorted(), OPTICAL);
  assert.deepEqual(having('S2L2A').toSorted(), OPTICAL);
  assert.deepEqual(having('S1').toSorted(), RADAR);
  assert.deepEqual(having('CBERS4PAN5M'), []);
  assert.deepEqual(having('L5MSS').toSorted(), 'GCI GNDVI MSAVI NDVI NDWI RECI SAVI'.split(' '));
  assert.deepEqual(having('L8').length, OPTICAL.length - 4);
  assert.deepEqual(having('NAIP').toSorted(), 'ARVI EVI GCI GNDVI MSAVI NDVI NDWI RECI SAVI SIPI'.split(' '));
  for (const sensor of sensors) {
    const values = Object.fromEntries(sensor.bands.map(({ name }, index) => [name, 0.1 + index / 100]));
    for (const name of aliasNames) {
      const alias = findAlias(sensor, name);
      if (alias?.kind === 'index') assert.ok(Number.isFinite(evaluate(alias.expression, values)), name);
    }
    for (const name of ['', 'constructor', '__proto__', 'NDVI ', 'NODATA'])
      assert.equal(findAlias(sensor, name), null);
  }
});

test('no band of any sensor has the name of an alias', () => {
  for (const { bands } of sensors) {
    for (const { name, spellings, role } of bands) {
      for (const text of [name, ...spellings, role ?? ''])
        assert.ok(!aliasNames.includes(text.toUpperCase()), text);
    }
  }
});
