import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MultiPolygonGeometry } from '../geo/index.ts';
import { parseXml } from '../xml/index.ts';
import type { Zone } from './draw-zones.ts';
import { toTaskData } from './task-data.ts';

/** What ISO 11783-10 version 4 says of the elements that we write: required and optional attributes, and children. */
interface Rule {
  readonly required: Readonly<Record<string, RegExp>>;
  readonly optional?: Readonly<Record<string, RegExp>>;
  readonly children?: readonly string[];
}
const WHOLE = /^\d{1,10}$/;
const NAME = /^.{0,32}$/su;
const BYTE = /^(?:\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-4])$/;
const DECIMAL = /^-?\d{1,3}\.\d{1,9}$/;
const idOf = (tag: string): RegExp => new RegExp(`^${tag}-?[0-9]{1,10}$`);
const RULES: Readonly<Record<string, Rule>> = {
  ISO11783_TaskData: {
    required: {
      VersionMajor: /^4$/,
      VersionMinor: /^[0-3]$/,
      ManagementSoftwareManufacturer: NAME,
      ManagementSoftwareVersion: NAME,
      DataTransferOrigin: /^[12]$/,
    },
    children: ['PDT', 'PFD', 'TSK', 'VPN'],
  },
  PDT: { required: { A: idOf('PDT'), B: NAME } },
  PFD: { required: { A: idOf('PFD'), C: NAME, D: WHOLE }, children: ['PLN'] },
  PLN: { required: { A: /^(?:[1-9]|1[0-2])$/ }, optional: { B: NAME, C: WHOLE }, children: ['LSG'] },
  LSG: { required: { A: /^[1-9]$/ }, children: ['PNT'] },
  PNT: { required: { A: /^(?:[1-9]|1[01])$/, C: DECIMAL, D: DECIMAL } },
  TSK: {
    required: { A: idOf('TSK'), G: /^[1-6]$/ },
    optional: { B: NAME, E: idOf('PFD'), H: BYTE, I: BYTE, J: BYTE },
    children: ['TZN'],
  },
  TZN: { required: { A: BYTE }, optional: { B: NAME, C: BYTE }, children: ['PLN', 'PDV'] },
  PDV: {
    required: { A: /^[0-9A-F]{4}$/, B: /^-?\d{1,10}$/ },
    optional: { C: idOf('PDT'), E: idOf('VPN') },
  },
  VPN: {
    required: { A: idOf('VPN'), B: /^-?\d{1,10}$/, C: /^\d{1,9}\.\d{1,9}$/, D: /^[0-7]$/ },
    optional: { E: NAME },
  },
};

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly unknown[];
}
const isNode = (one: unknown): one is Node => typeof one === 'object' && one !== null && 'name' in one;
const childrenOf = (node: Node): readonly Node[] => node.children.filter(isNode);
const all = (node: Node): readonly Node[] => [node, ...childrenOf(node).flatMap(all)];

function findFaults(root: Node): readonly string[] {
  const ids = new Set(all(root).map(({ attributes }) => attributes.A));
  return all(root).flatMap((node) => {
    const { required, optional = {}, children = [] } = RULES[node.name] ?? { required: {} };
    if (RULES[node.name] === undefined) return [`${node.name} is unknown`];
    const known = { ...required, ...optional };
    return [
      ...Object.keys(required)
        .filter((name) => !(name in node.attributes))
        .map((name) => `${node.name} has no ${name}`),
      ...Object.entries(node.attributes).flatMap(([name, value]) => {
        if (known[name] === undefined) return [`${node.name} may not have ${name}`];
        const isReference = /^\[*\^(PDT|PFD|VPN)/.test(known[name].source) && name !== 'A';
        if (isReference && !ids.has(value)) return [`${node.name} ${name} refers to ${value}`];
        return known[name].test(value) ? [] : [`${node.name} ${name} is ${value}`];
      }),
      ...childrenOf(node)
        .filter(({ name }) => !children.includes(name))
        .map(({ name }) => `${node.name} may not hold ${name}`),
      ...(children.length > 0 && childrenOf(node).length === 0 ? [`${node.name} is empty`] : []),
    ];
  });
}

const square = (west: number): MultiPolygonGeometry => ({
  type: 'MultiPolygon',
  coordinates: [
    [
      [
        [west, 48],
        [west + 0.01, 48],
        [west + 0.01, 48.01],
        [west, 48.01],
        [west, 48],
      ],
      [
        [west + 0.004, 48.004],
        [west + 0.004, 48.006],
        [west + 0.006, 48.006],
        [west + 0.004, 48.004],
      ],
    ],
  ],
});
const toZone = (number: number): Zone => ({
  number,
  geometry: square(2 + number / 100),
  patches: 1,
  hectares: 1,
  percent: 50,
  values: null,
  score: null,
});
const request = {
  zones: [toZone(1), toZone(2)],
  boundary: square(2),
  fieldName: 'Field <7> & "north"',
  taskName: 'A name that is longer than thirty-two characters 🌾🌾🌾',
  prescription: { product: 'Urea', unit: 'kg/ha', rates: [150, 92.5] },
  softwareVersion: '0.2.0',
} as const;

const parse = (text: string): Node => parseXml(text, 'TASKDATA.XML') as unknown as Node;

test('a task follows the rules of the standard', () => {
  const root = parse(toTaskData(request));
  assert.deepEqual(findFaults(root), []);
  const [partfield] = all(root).filter(({ name }) => name === 'PFD');
  assert.equal(partfield?.attributes.C, 'Field <7> & "north"');
});

test('the rules detect errors', () => {
  const text = toTaskData(request);
  for (const [from, to, fault] of [
    ['A="TSK1" ', '', /TSK has no A/],
    ['A="0006"', 'A="6"', /PDV A is 6/],
    ['C="PDT1"', 'C="PDT2"', /refers to PDT2/],
    ['<TZN A="1"', '<TZN A="255"', /TZN A is 255/],
    ['G="1"', 'G="1" Z="1"', /may not have Z/],
  ] as const) {
    assert.ok(text.includes(from), from);
    assert.match(findFaults(parse(text.replace(from, to))).join(), fault);
  }
});

test('rates are in machine units, and nothing is applied outside the zones', () => {
  const rates = (text: string): readonly string[] =>
    all(parse(text)).flatMap(({ name, attributes }) =>
      name === 'PDV' ? [`${attributes.A} ${attributes.B}`] : [],
    );
  // 150 kg/ha are 15 g/m².
  assert.deepEqual(rates(toTaskData(request)), ['0006 0', '0006 15000', '0006 9250']);
  const other = (unit: 'l/ha' | 'seeds/ha' | 't/ha' | 'lb/ac' | 'gal/ac' | 'm3/ha', rate: number) =>
    rates(toTaskData({ ...request, prescription: { product: 'x', unit, rates: [rate, rate] } }))[1];
  assert.equal(other('l/ha', 200), '0001 20000', '20 ml/m²');
  assert.equal(other('m3/ha', 0.2), '0001 20000');
  assert.equal(other('seeds/ha', 80_000), '000B 8000', 'eight seeds on a square metre');
  assert.equal(other('t/ha', 2), '0006 200000');
  assert.equal(other('lb/ac', 100), '0006 11209', '112.085 kg/ha');
  assert.equal(other('gal/ac', 10), '0001 9354', '93.54 l/ha');
});

test('polygons have outer and inner rings, north before east, and areas in square metres', () => {
  const root = parse(toTaskData(request));
  const [polygon] = all(root).filter(({ name }) => name === 'PLN');
  assert.deepEqual(
    childrenOf(polygon!).map(({ attributes }) => attributes.A),
    ['1', '2'],
  );
  const [point] = all(polygon!).filter(({ name }) => name === 'PNT');
  assert.deepEqual([point?.attributes.C, point?.attributes.D], ['48.000000000', '2.000000000']);
  const areaM2 = Number(polygon?.attributes.C);
  assert.ok(Math.abs(areaM2 - 745.9 * 1112 * 0.98) < 2e4, `${areaM2}`);
});
