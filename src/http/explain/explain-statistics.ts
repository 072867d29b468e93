import type { MultiPolygonGeometry } from '../../geo/index.ts';
import type { Task } from '../../tasks/index.ts';
import type { ExplainedStatistics, ExplainStatistics } from '../../zonal/index.ts';
import { unsupported } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { TakenStatistics } from '../statistics/statistics-orders.ts';
import { toWireGrid, toWireInput } from './explain-answers.ts';
import { answerExplanation } from './explainable.ts';

/** What orders are explained with. */
export interface StatisticsExplainer {
  readonly explainStatistics: ExplainStatistics;
}

/** An explanation on its way to the answer. */
type Explained = ReturnType<typeof toExplanation>;

/** Explains an order of statistics of scenes. */
export async function explainOrder(
  { order, area }: Pick<TakenStatistics, 'order' | 'area'>,
  { ticket }: ApiRequest,
  { explainStatistics }: StatisticsExplainer,
): Promise<Explained> {
  if (order.kind !== 'scenes')
    throw unsupported('not-explained', 'Soil moisture is read from data cubes, which are not explained.');
  const geometry = JSON.parse(area) as MultiPolygonGeometry;
  return toExplanation(await explainStatistics({ ...order.order, area: geometry }, ticket));
}

/** Answers with an explanation; of a finished task also with the time that it took. */
export const answerExplainedOrder = (request: ApiRequest, explained: Explained, task?: Task): Answer =>
  answerExplanation(request, { ...explained, ...(task === undefined ? {} : { drawn: toDrawn(task) }) });

function toDrawn({ createdAt, startedAt, endedAt }: Task) {
  const [created, started, ended] = [createdAt, startedAt ?? createdAt, endedAt ?? createdAt].map(
    Date.parse,
  ) as [number, number, number];
  return { total_ms: ended - created, stages_ms: { queue: started - created, run: ended - started } };
}

const toExplanation = ({ found, scenes }: ExplainedStatistics) => ({
  explains: 'statistics',
  scenes_found: found,
  scenes: scenes.map((scene) => ({
    view_id: scene.viewId,
    scene_id: scene.sceneId,
    date: scene.date,
    ...('message' in scene
      ? { problem: { code: scene.code, error: scene.message } }
      : {
          stored: scene.stored,
          bytes: scene.bytes,
          groups: scene.groups.map(({ pieces, first: { bands, grid, inputs, steps } }) => ({
            bands,
            pieces,
            grid: toWireGrid(grid),
            inputs: inputs.map(toWireInput),
            steps,
          })),
        }),
  })),
});
