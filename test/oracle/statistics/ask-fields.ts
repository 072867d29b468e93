import type { Scene } from '../../../src/catalog/index.ts';
import type { AnsweredScene } from '../../support/ask-statistics.ts';
import { askStatistics } from '../../support/ask-statistics.ts';
import type { RunningSwath } from '../../support/start-swath.ts';
import type { CloudCase } from './cloud-cases.ts';
import { classCases, plainCases } from './cloud-cases.ts';
import { indexFormulas } from './index-formulas.ts';
import type { RandomField } from './random-fields.ts';
import { makeFields, makeRandom } from './random-fields.ts';

/** An order with its answer, for the judge. */
export interface JudgedOrder {
  readonly field: number;
  readonly options: string;
  readonly expressions: readonly string[];
  readonly numpy: readonly string[];
  readonly isList: boolean;
  readonly masked: boolean;
  readonly level: number | null;
  readonly max: number | null;
  /** All scenes that the order is about. */
  readonly scenes: readonly string[];
  readonly result: Readonly<Record<string, AnsweredScene>>;
  readonly errors: Readonly<Record<string, AnsweredScene>>;
  /** Of each expression, the pixels that counted. */
  counts: Readonly<Record<string, readonly number[]>>;
}

/** An order and the task that carried it out. */
export interface AskedOrder {
  readonly order: JudgedOrder;
  readonly taskId: string;
}

interface Asking {
  readonly swath: RunningSwath;
  readonly scenes: readonly Scene[];
  readonly fields: RandomField[];
}

/** Scenes over which fields are laid, of each dataset: those of one tile lie on the same ground. */
const GROUNDS = 3;
/** Ways to treat clouds that each field is ordered with. */
const CASES_PER_FIELD = 3;

/** Orders the statistics of fields over some scenes of a dataset, each of all scenes. */
export async function askDataset(
  dataset: string,
  { swath, scenes, fields }: Asking,
): Promise<readonly AskedOrder[]> {
  const formulas = indexFormulas[dataset] ?? [];
  const own = scenes.filter((scene) => isOrdered(scene, dataset, scenes));
  const asked: AskedOrder[] = [];
  const cases = dataset.startsWith('sentinel2') ? [...plainCases, ...classCases] : plainCases;
  const random = makeRandom(17 + dataset.length);
  let turn = 0;
  for (const scene of chooseSpread(own.filter((one) => one.dataset === dataset))) {
    const [asset] = Object.values(scene.assets);
    if (asset === undefined) continue;
    for (const field of makeFields(asset, random)) {
      fields.push(field);
      for (let n = 0; n < CASES_PER_FIELD; n += 1, turn += 1) {
        const { address, params, masked, level, max } = cases[turn % cases.length] as CloudCase;
        const isList = turn % 4 !== 0;
        const used = isList ? formulas : formulas.slice(0, 1);
        const expressions = used.map(({ expression }) => expression);
        const { taskId, result, errors } = await askStatistics(swath.url, address, {
          date_start: '1980-01-01',
          date_end: '2035-12-31',
          limit: 500,
          sensors: [dataset],
          geometry: field.geometry,
          bm_type: isList ? expressions : expressions[0],
          ...params,
        });
        const order: JudgedOrder = {
          field: fields.length - 1,
          options: `${address} ${JSON.stringify(params)}`,
          expressions,
          numpy: used.map(({ numpy }) => numpy),
          isList,
          masked,
          level,
          max,
          scenes: own.map(({ viewId }) => viewId),
          result: byViewId(result),
          errors: byViewId(errors),
          counts: {},
        };
        asked.push({ order, taskId });
      }
    }
  }
  return asked;
}

/** Level-2A answers an order of Level-1C where the catalog does not have that. */
const isOrdered = ({ dataset, viewId }: Scene, ordered: string, scenes: readonly Scene[]): boolean =>
  dataset === ordered ||
  (ordered === 'sentinel2' &&
    dataset === 'sentinel2l2a' &&
    !scenes.some((other) => other.viewId === viewId.replace('S2L2A/', 'S2/')));

function chooseSpread(scenes: readonly Scene[]): readonly Scene[] {
  const step = Math.max(1, Math.floor(scenes.length / GROUNDS));
  return scenes.filter((_, i) => i % step === 0).slice(0, GROUNDS);
}

const byViewId = (items: readonly AnsweredScene[]): Readonly<Record<string, AnsweredScene>> =>
  Object.fromEntries(items.map((item) => [item.view_id, item]));
