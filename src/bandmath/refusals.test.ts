import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSwathError } from '../errors.ts';
import { casesOf } from '../testing/test-size.ts';
import { tileLimits } from './expression-text.ts';
import { functions } from './functions.ts';
import { parseTrees } from './parse-tree.ts';
import { parse, testNames } from './testing/compute.ts';

function refusalOf(text: string) {
  try {
    parse(text);
  } catch (error) {
    if (isSwathError(error)) return error;
    throw error;
  }
  return assert.fail(`${text} is not refused`);
}

test('a refusal gives the position, what was expected and a likely correction, with an excerpt', () => {
  const cases: readonly (readonly [text: string, code: string, position: number, words: RegExp])[] = [
    ['', 'bad-expression', 0, /the text ends here\. Expected a number, a name or "\("/],
    ['B4+', 'bad-expression', 3, /Expected a number/],
    ['B4+*B5', 'bad-expression', 3, /"\*" does not fit/],
    ['(B4', 'bad-expression', 3, /Expected an operator or "\)"/],
    ['B4)', 'bad-expression', 2, /Expected an operator, "," or the end/],
    ['B4,,B5', 'bad-expression', 3, /"," does not fit/],
    ['B4,', 'bad-expression', 3, /ends here/],
    ['()', 'bad-expression', 1, /"\)" does not fit/],
    ['B4 B5', 'bad-expression', 3, /"B5" does not fit/],
    ['2B4', 'bad-expression', 0, /"2B4" is not a number/],
    ['1.2.3', 'bad-expression', 0, /"1\.2\.3" is not a number/],
    ['1e', 'bad-expression', 0, /is not a number/],
    ['1e+', 'bad-expression', 0, /is not a number/],
    ['.', 'bad-expression', 0, /is not a number/],
    ['0x10', 'bad-expression', 0, /is not a number/],
    ['1_000', 'bad-expression', 0, /is not a number/],
    ['sin', 'bad-expression', 0, /sin is a function\. Expected "\(" behind it/],
    ['sin()', 'wrong-arguments', 0, /sin is given 0 arguments\. Expected 1 of them/],
    ['1+isclose(B4)', 'wrong-arguments', 2, /Expected 2 to 4/],
    ['minimum(B4,B5', 'bad-expression', 13, /Expected an operator, "," or "\)"/],
    ['sine(B4)', 'unknown-function', 0, /Did you mean sin\?/],
    ['SIN(B4)', 'unknown-function', 0, /Did you mean sin\?/],
    ['B4(2)', 'unknown-function', 0, /Expected an operator between/],
    ['NDVL', 'unknown-band', 0, /Did you mean NDVI\?/],
    ['B5-B40', 'unknown-band', 3, /Did you mean B4\?/],
    ['b4', 'unknown-band', 0, /Did you mean B4\?/],
    ['1+xyzzy', 'unknown-band', 2, /Expected one of NODATA, pi, B1/],
    ['B4;B5', 'bad-expression', 2, /";" \(U\+003B\)/],
    ['1/0', 'division-by-zero', 1, /divided by zero/],
    ['B4+mod(7,0)', 'division-by-zero', 3, /divided by zero/],
    ['0^-1', 'division-by-zero', 1, /divided by zero/],
    ['reciprocal(0)', 'division-by-zero', 0, /divided by zero/],
    ['fmod(1,0)', 'division-by-zero', 0, /divided by zero/],
    ['B4*10^400', 'integer-too-large', 5, /decimal point/],
    ['2**2**2**2**2**2', 'integer-too-large', 4, /decimal point/],
    ['9'.repeat(400), 'integer-too-large', 0, /too large/],
    ['around(B4,1.5)', 'wrong-arguments', 0, /decimals must be a whole number/],
    ['around(B4,B5)', 'wrong-arguments', 0, /decimals must be a whole number/],
    ['around(B4,39)', 'wrong-arguments', 0, /between -38 and 38/],
    ['ldexp(B4,1.5)', 'wrong-arguments', 0, /exponent of ldexp/],
    ['unwrap(3)', 'wrong-arguments', 0, /takes a band/],
    ['ISTACK*2', 'bad-expression', 0, /ISTACK is 3 images/],
    ['TORN', 'bad-expression', 3, /"B5" does not fit here\. Expected an operator or the end/],
    [`around(${2n ** 1_023n - 1n},-38)`, 'integer-too-large', 0, /decimal point/],
    ['LOOP', 'unknown-band', 0, /"LOOP" is not a name/],
    ['B4+EVI/(1/0)', 'division-by-zero', 9, /divided by zero/],
  ];
  for (const [text, code, position, words] of cases) {
    const error = refusalOf(text);
    assert.equal(error.tag, 'unsupported', text);
    assert.equal(error.code, code, text);
    assert.equal(error.details.position, position, text);
    assert.match(error.message, words, text);
    assert.match(error.message, /^Unsupported band or operation at character \d+: /, text);
  }
});

test('carets mark the error, also in the middle of a long expression', () => {
  assert.equal(refusalOf('(B4-B99)/B5').details.picture, '(B4-B99)/B5\n    ^^^');
  const long = `${'B4+'.repeat(60)}Q+${'B4+'.repeat(60)}B4`;
  const [line, carets] = String(refusalOf(long).details.picture).split('\n');
  assert.equal(line![carets!.indexOf('^')], 'Q');
  assert.ok(line!.length < 120 && line!.startsWith('...') && line!.endsWith('...'), line);
});

/** Names that reach into JavaScript, other languages' syntax, look-alikes. The list only grows. */
const HOSTILE = [
  ...[
    'constructor',
    '__proto__',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'this',
  ],
  ...[
    'constructor(1)',
    '__proto__(B4)',
    'toString()',
    'valueOf(B4)',
    'eval(B4)',
    'require(1)',
    'import(1)',
    'exec(1)',
  ],
  ...[
    'B4.constructor',
    'B4[0]',
    'B4["x"]',
    '{}',
    '[]',
    '`B4`',
    '$' + '{B4}',
    "'B4'",
    '"B4"',
    'B4;',
    'B4//',
    'B4/*x*/',
    '#',
  ],
  ...[
    'B4=1',
    'B4==1',
    'B4<1',
    'B4>1',
    'B4&1',
    'B4|1',
    '!B4',
    '~B4',
    'B4%2',
    'B4?1:2',
    'B4@B5',
    'lambda:0',
    'B4 if 1',
  ],
  ...[
    'В4',
    'Ｂ4',
    'B４',
    'B4\u200b',
    'B\u00ad4',
    '\u202eB4',
    'B4\0',
    '−B4',
    'B4×B5',
    'B4÷B5',
    '∞',
    'π',
    '٣',
    'ﬁx(B4)',
  ],
  ...[
    '\ud800',
    '\udc00\ud800',
    '😀',
    'ſin(B4)',
    'NODATΑ',
    'ＮＤＶＩ',
    'B4\u2028+B5',
    'B4\u00a0+B5',
    '\ufeffB4',
  ],
  ...[
    'NaN',
    'Infinity',
    'inf',
    'nan',
    'undefined',
    'null',
    'true',
    'None',
    '__import__("os")',
    'Math.max(1)',
  ],
  ...[
    '1n',
    '0b1',
    '0o7',
    '1e1e1',
    '1e1.5',
    '..',
    '1..2',
    '+',
    '-',
    '^',
    '**',
    '2***3',
    '2^^3',
    '(',
    ')',
    ',',
    ',,',
    '(,)',
    '%42',
  ],
];

test('hostile names and signs are refused', () => {
  const canary = Symbol('untouched');
  Object.assign(globalThis, { canary });
  for (const text of HOSTILE) {
    const error = refusalOf(text);
    assert.equal(error.tag, 'unsupported', text);
    assert.match(error.message, /^[\x20-\x7e\n]*$/, 'the message is plain text');
  }
  assert.equal(Reflect.get(globalThis, 'canary'), canary);
  assert.equal(Reflect.deleteProperty(globalThis, 'canary'), true);
});

test('limits are exact', () => {
  const sum = (count: number): string => Array.from({ length: count }, () => 'B4').join('+');
  parse(sum(128)); // 128 names and 127 signs
  assert.equal(refusalOf(sum(129)).code, 'expression-too-complex');
  const nested = (depth: number): string => `${'('.repeat(depth)}B4${')'.repeat(depth)}`;
  parse(nested(32));
  assert.equal(refusalOf(nested(33)).code, 'expression-too-complex');
  const bands = (count: number): string => Array.from({ length: count }, (_, at) => `B${at + 1}`).join('+');
  parse(bands(12));
  assert.equal(refusalOf(bands(13)).code, 'expression-too-complex');
  parse('B1,B2,B3');
  assert.equal(refusalOf('B1,B2,B3,B4').code, 'too-many-expressions');
  assert.equal(refusalOf('B1,ISTACK').code, 'too-many-expressions');
  parse(`B4${' '.repeat(2_046)}`);
  assert.equal(refusalOf(`B4${' '.repeat(2_047)}`).code, 'expression-too-long');
  const roots = (bands: number): string =>
    Array.from({ length: bands }, (_, at) => `${'arcsinh('.repeat(30)}B${at + 1}${')'.repeat(30)}`).join('+');
  parse(roots(2));
  assert.equal(refusalOf(roots(3)).code, 'expression-too-complex');
  parse(roots(3), { ...tileLimits, maxCostPerPixel: 4_000 });
  // an alias counts as its expansion, every time
  const aliases = (count: number): string => Array.from({ length: count }, () => 'NDVI').join('*');
  parse(aliases(32));
  assert.equal(refusalOf(aliases(33)).code, 'expression-too-complex');
});

test('no kind of nesting gets deep enough to overflow', () => {
  const limits = { ...tileLimits, maxChars: 10_000_000, maxNodes: 1_000_000 };
  for (const piece of ['(', '-', '+', 'sin(', '2^', '2**-', '-(', 'where(B4,', 'B4*(']) {
    assert.throws(
      () => parseTrees(piece.repeat(100_000), testNames, limits),
      { code: 'expression-too-complex' },
      piece,
    );
  }
});

test('parsing takes time proportional to the length, for every kind of token', () => {
  const limits = { ...tileLimits, maxChars: 10_000_000, maxNodes: 10_000_000, maxExpressions: 10_000_000 };
  const pieces = [
    'B4+',
    'B4*(B5-1)+',
    'NDVI*',
    '12345/',
    '1.5e-3-',
    'where(B4,B5,NODATA)+',
    '-B4^2*',
    'B4,',
    '1 \t ',
  ];
  for (const piece of pieces) {
    const stepsOf = (count: number): number =>
      parseTrees(
        piece.endsWith(' ') ? `${piece.trimEnd()}${' '.repeat(count)}` : `${piece.repeat(count)}1`,
        testNames,
        limits,
      ).steps;
    const [few, many] = [stepsOf(500), stepsOf(5_000)];
    assert.ok(many <= few * 10.5, `${piece}: ${few} and ${many}`);
  }
});

test('any string is parsed or refused, and spaces do not change the key', () => {
  const words = [
    ...functions.keys(),
    ...testNames.all,
    ...'+-*/^(),'.split(''),
    '**',
    'pi',
    'NODATA',
    '1',
    '2.5',
    'x',
    ' ',
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 30 }), (parts) => {
      let tree: ReturnType<typeof parse>;
      try {
        tree = parse(parts.join(''));
      } catch (error) {
        assert.ok(isSwathError(error) && error.tag === 'unsupported', String(error));
        return;
      }
      for (const node of tree.nodes)
        if ('args' in node) for (const arg of node.args) assert.ok(arg < tree.nodes.indexOf(node));
      assert.equal(parse(`  ${parts.join('')}\n`).key, tree.key);
    }),
    { numRuns: casesOf(2_000), seed: 7 },
  );
});
