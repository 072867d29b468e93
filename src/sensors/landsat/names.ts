import type { NameForm, SceneGrammar } from '../definition/scene-name.ts';
import { digits, matching, oneOf, toDayFromDigits, toDayFromOrdinal } from '../definition/scene-name.ts';

/** How names differ between Landsat sensors. */
export interface LandsatName {
  /** C for OLI and TIRS, O for OLI alone, T for TIRS alone or TM, E for ETM+, M for MSS. */
  readonly instruments: readonly string[];
  readonly satellite: 4 | 5 | 7 | 8 | 9;
  readonly example: string;
}

// WRS-2, the grid of paths and rows since Landsat 4.
const path = digits('path', 3, [1, 233]);
const row = digits('row', 3, [1, 248]);

/** `LXSPPPRRRYYYYDDDGSIVV`: instrument, satellite, path, row, year and day, ground station, version. */
const toSceneIdForm = ({ instruments, satellite }: LandsatName): NameForm => ({
  form: 'scene-id',
  separator: '',
  fields: [
    oneOf('instrument', ...instruments.map((letter) => `L${letter}`)),
    oneOf('satellite', String(satellite)),
    path,
    row,
    digits('yearDay', 7, [1982001, 2099366]),
    matching('station', /^[A-Z][A-Z0-9]{2}$/, { expects: 'three letters of a ground station', width: 3 }),
    digits('version', 2, [0, 99]),
  ],
  toDate: ({ yearDay = '' }) => toDayFromOrdinal(yearDay),
});

/** `LXSS_LLLL_PPPRRR_YYYYMMDD_yyyymmdd_CC_TX`: level, path and row, acquired, processed, collection, tier. */
const toProductIdForm = ({ instruments, satellite }: LandsatName): NameForm => ({
  form: 'product-id',
  separator: '_',
  fields: [
    oneOf('instrument', ...instruments.map((letter) => `L${letter}0${satellite}`)),
    oneOf('level', 'L1TP', 'L1GT', 'L1GS', 'L2SP', 'L2SR'),
    matching('pathRow', /^[0-9]{6}$/, { expects: 'three digits of a path and three of a row', width: 6 }),
    digits('acquired', 8, [19820101, 20991231]),
    digits('processed', 8, [19820101, 20991231]),
    oneOf('collection', '01', '02'),
    oneOf('tier', 'T1', 'T2', 'RT'),
  ],
  toDate: ({ acquired = '' }) => toDayFromDigits(acquired),
  findConflict({ pathRow = '', acquired = '', processed = '', level = '', collection }) {
    if (!path.isValid(pathRow.slice(0, 3))) return `path must be ${path.expects}`;
    if (!row.isValid(pathRow.slice(3))) return `row must be ${row.expects}`;
    if (toDayFromDigits(processed) === null) return 'processed is not a calendar day';
    if (processed < acquired) return 'it was processed before it was acquired';
    return level.startsWith('L2') && collection === '01' ? 'collection 01 has no level 2' : null;
  },
});

/** The grammar of a Landsat sensor: scenes are named by scene id or by product id. */
export const toLandsatGrammar = (name: LandsatName): SceneGrammar => ({
  segments: 1,
  example: name.example,
  forms: [toSceneIdForm(name), toProductIdForm(name)],
});
