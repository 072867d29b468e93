import { tileLimits } from '../expression-text.ts';
import type { Plane } from '../interpret-tree.ts';
import { interpretTree } from '../interpret-tree.ts';
import type { NameMeaning, Names } from '../names.ts';
import { parseExpressions } from '../parse-expressions.ts';
import type { TypedTree } from '../typed-tree.ts';

const band = (name: string): NameMeaning => ({ kind: 'band', name, resolutionM: 10 });
const ndvi = {
  kind: 'index',
  name: 'NDVI',
  expression: '(B5-B4)/(B5+B4)',
  needsReflectance: false,
} as const;
const evi = {
  kind: 'index',
  name: 'EVI',
  expression: '2.5*(B5-B4)/(B5+6.0*B4-7.5*B2+1.0)',
  needsReflectance: true,
} as const;
const fidet = { kind: 'index', name: 'FIDET', expression: 'B7/(B5*B9)', needsReflectance: true } as const;

const ALIASES: ReadonlyMap<string, NameMeaning> = new Map<string, NameMeaning>([
  ['NDVI', ndvi],
  ['EVI', evi],
  ['FIDET', fidet],
  ['PR_FD', { kind: 'change', name: 'PR_FD', of: fidet, when: [] }],
  [
    'FILTERED',
    {
      kind: 'change',
      name: 'FILTERED',
      of: fidet,
      when: [
        {
          scene: 'earlier',
          of: { ...ndvi, name: 'GREEN_ENOUGH', expression: 'greater((B5-B4)/(B5+B4),0.5)' },
        },
        { scene: 'this', of: { ...ndvi, name: 'CLEAR', expression: 'not_equal(B1,3.0)' } },
      ],
    },
  ],
  ['ISTACK', { kind: 'composite', name: 'ISTACK', of: [ndvi, evi, ndvi] }],
  // two that no sensor should have
  ['TORN', { kind: 'index', name: 'TORN', expression: 'B4 B5', needsReflectance: false }],
  ['LOOP', { kind: 'index', name: 'LOOP', expression: 'LOOP+1.0', needsReflectance: false }],
]);
const BANDS = Array.from({ length: 16 }, (_, index) => `B${index + 1}`);

/** A sensor of sixteen bands, with a role, another spelling, and aliases of every kind. */
export const testNames: Names = {
  all: [...BANDS, 'NIR', ...ALIASES.keys()],
  find: (name) => {
    if (BANDS.includes(name)) return band(name);
    if (name === 'B04') return band('B4');
    if (name.toUpperCase() === 'NIR') return band('B5');
    return ALIASES.get(name.toUpperCase()) ?? null;
  },
};

/** The typed tree of a text on the test sensor. */
export const parse = (text: string, limits = tileLimits): TypedTree =>
  parseExpressions(text, testNames, limits);

/** Values by band: one row of pixels each; bands not named are 1 everywhere. */
type Rows = Readonly<Record<string, readonly number[]>>;

/** Computes a text over one row of pixels. `masks` have 0 where a band has no data. */
export function compute(text: string, rows: Rows = {}, masks: Rows = {}): readonly Plane[] {
  const tree = parse(text);
  const width = Object.values(rows)[0]?.length ?? 1;
  return interpretTree(tree, {
    width,
    height: 1,
    bands: tree.inputs.map((input) => Float32Array.from(rows[input.band] ?? new Array(width).fill(1))),
    masks: tree.inputs.map((input) => (masks[input.band] ? Uint8Array.from(masks[input.band]!) : null)),
  });
}

/** The values of a text that is one expression. */
export const valuesOf = (text: string, rows: Rows = {}): readonly number[] => [
  ...compute(text, rows)[0]!.values,
];

/** The only value of a text, computed for B4 = 811 and B5 = 3123. */
export const numberOf = (text: string): number => valuesOf(text, { B4: [811], B5: [3123] })[0]!;
