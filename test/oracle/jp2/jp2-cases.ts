/** A file for GDAL to make: see make_jp2.py. */
export interface Jp2Case {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  readonly type: 'uint8' | 'uint16' | 'int16';
  readonly bits: number;
  readonly epsg: number | null;
  readonly transform: readonly number[] | null;
  readonly options: readonly string[];
}

const LOSSLESS = ['REVERSIBLE=YES', 'QUALITY=100'];
const UTM = { epsg: 32631, transform: [600000, 10, 0, 5100000, 0, -10] } as const;
const DEGREES = { epsg: 4326, transform: [3, 0.01, 0, 46, 0, -0.01] } as const;
const NOWHERE = { epsg: null, transform: null } as const;

const tiles = (side: number, resolutions: number): string[] => [
  `BLOCKXSIZE=${side}`,
  `BLOCKYSIZE=${side}`,
  `RESOLUTIONS=${resolutions}`,
];

const base = { width: 300, height: 210, bands: 1, type: 'uint16', bits: 16, ...UTM } as const;
const small = { ...base, width: 100, height: 70 } as const;

/** Every order of packets, with the lengths of packets; precincts are small so that there are many. */
const packetCases = (): readonly Jp2Case[] =>
  (
    [
      ['LRCP', 1, ['TLM=YES']],
      ['RLCP', 1, ['SOP=YES', 'EPH=YES']],
      ['RPCL', 1, []],
      ['PCRL', 1, ['TLM=YES', 'EPH=YES']],
      ['CPRL', 3, []],
      ['LRCP', 3, ['SOP=YES']],
    ] as const
  ).map(([progression, bands, options]) => ({
    ...base,
    width: 140,
    height: 120,
    bands,
    type: 'uint8',
    bits: 8,
    name: `packets-${progression}-${bands}.jp2`,
    options: [
      ...(bands === 1 ? LOSSLESS : ['QUALITY=4,12,30']),
      ...[...tiles(128, 4), 'PRECINCTS={64,64},{32,32},{32,32},{16,16}', 'CODEBLOCK_WIDTH=16'],
      ...['CODEBLOCK_HEIGHT=8', `PROGRESSION=${progression}`, 'PLT=YES', ...options],
    ],
  }));

/** The few that are stored in the repository. */
export const goldenCases = (): readonly Jp2Case[] => [
  ...packetCases(),
  { ...small, name: 'uint16-tiles-32.jp2', options: [...LOSSLESS, ...tiles(32, 3)] },
  { ...small, name: 'uint8-tiles-32.jp2', type: 'uint8', bits: 8, options: [...LOSSLESS, ...tiles(32, 3)] },
  { ...small, name: 'int16-tiles-32.jp2', type: 'int16', options: [...LOSSLESS, ...tiles(32, 3)] },
  {
    ...small,
    name: 'tiny.jp2',
    width: 40,
    height: 35,
    type: 'uint8',
    bits: 8,
    options: [...LOSSLESS, ...tiles(32, 2), 'GMLJP2=NO'],
  },
  {
    ...base,
    name: 'rgb-lossy.jp2',
    bands: 3,
    type: 'uint8',
    bits: 8,
    options: ['QUALITY=8', ...tiles(64, 3)],
  },
  { ...base, name: 'nbits-15.jp2', bits: 15, options: [...LOSSLESS, ...tiles(64, 3), 'NBITS=15'] },
  {
    ...base,
    name: 'tile-parts.j2k',
    ...NOWHERE,
    bits: 12,
    options: [
      ...LOSSLESS,
      ...tiles(128, 3),
      'NBITS=12',
      'TILEPARTS=RESOLUTIONS',
      'PROGRESSION=RPCL',
      'SOP=YES',
      'EPH=YES',
    ],
  },
  {
    ...base,
    // neither 48 nor its halves are powers of two: code-blocks and precincts cut each tile elsewhere
    name: 'tiles-48-precincts.jp2',
    type: 'uint8',
    bits: 8,
    options: [
      ...['QUALITY=20', ...tiles(48, 4), 'PRECINCTS={32,32},{32,32},{16,16},{16,16}'],
      ...['CODEBLOCK_WIDTH=8', 'CODEBLOCK_HEIGHT=8', 'PROGRESSION=PCRL', 'GeoJP2=NO'],
    ],
  },
  {
    ...base,
    // at levels 3 and 4 the corners of tiles lie between pixels
    name: 'tiles-36.jp2',
    width: 200,
    height: 150,
    type: 'uint8',
    bits: 8,
    options: ['QUALITY=20', ...tiles(36, 5), 'PROGRESSION=RPCL', 'GEOBOXES_AFTER_JP2C=YES'],
  },
  {
    ...base,
    name: 'single-tile-degrees.jp2',
    type: 'uint8',
    bits: 8,
    ...DEGREES,
    options: ['QUALITY=10', ...tiles(512, 3), 'GeoJP2=NO'],
  },
];

/** The matrix: tile shapes × progressions × types, and single traits. */
export function oracleCases(): readonly Jp2Case[] {
  const cases: Jp2Case[] = [];
  for (const progression of ['LRCP', 'RLCP', 'RPCL', 'PCRL', 'CPRL']) {
    for (const side of [32, 48, 64, 100, 192]) {
      const add = (suffix: string, fields: Partial<Jp2Case>, options: readonly string[]) =>
        cases.push({
          ...base,
          width: 331,
          height: 277,
          name: `${progression}-${side}-${suffix}.jp2`,
          ...fields,
          options: [`PROGRESSION=${progression}`, ...tiles(side, 4), ...options],
        });
      add('lossless', {}, LOSSLESS);
      add('lossless-rgb', { bands: 3, type: 'uint8', bits: 8 }, LOSSLESS);
      add('rgb16', { bands: 3 }, LOSSLESS);
      add('lossy', {}, ['QUALITY=5,15,30']);
      add('signed', { type: 'int16' }, LOSSLESS);
      add('precincts', {}, [
        ...['QUALITY=30', 'PRECINCTS={64,64},{32,32},{32,32},{16,16}'],
        ...['CODEBLOCK_WIDTH=16', 'CODEBLOCK_HEIGHT=8'],
        ...(progression.startsWith('R') && side === 64 ? ['TILEPARTS=RESOLUTIONS'] : []),
      ]);
    }
  }
  for (const bits of [9, 10, 12, 15]) {
    const options = [...LOSSLESS, ...tiles(64, 3), `NBITS=${bits}`];
    cases.push({ ...base, name: `nbits-${bits}.jp2`, bits, options });
  }
  for (const [parts, progression] of [
    ['RESOLUTIONS', 'RLCP'],
    ['LAYERS', 'LRCP'],
    ['COMPONENTS', 'CPRL'],
  ]) {
    const options = ['QUALITY=5,20', ...tiles(128, 3), `TILEPARTS=${parts}`, `PROGRESSION=${progression}`];
    cases.push({
      ...base,
      name: `parts-${parts}.j2k`,
      bands: 3,
      type: 'uint8',
      bits: 8,
      ...NOWHERE,
      options,
    });
  }
  cases.push({ ...base, name: 'one-level.jp2', options: [...LOSSLESS, ...tiles(1024, 1)] });
  return [...cases, ...goldenCases()];
}
