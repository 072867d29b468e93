import type { Ticket } from '../../pool/index.ts';
import type { TerrainExplainer, TerrainTiles } from '../../terrain/index.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { toWireFindings, toWireGrid } from './explain-answers.ts';
import { answerExplained } from './explainable.ts';

/** What answers about terrain are explained with. */
export interface TerrainExplainDeps {
  readonly terrainExplainer: TerrainExplainer;
}

type ExplainedHeights = Awaited<ReturnType<TerrainExplainer['tile']>>;
type PlannedTile = Awaited<ReturnType<TerrainTiles['plan']>>;

/** Answers with the plan of a terrain tile; with `drawn` also draws it. */
export async function explainTerrainTile(
  request: ApiRequest,
  { planned, mode }: { readonly planned: PlannedTile; readonly mode: ExplainMode },
  { terrainTiles, terrainExplainer }: TerrainExplainDeps & { readonly terrainTiles: TerrainTiles },
): Promise<Answer> {
  const plan = await terrainTiles.onCurrent(planned, async (tile) => ({
    ...toWireHeights('terrain', await terrainExplainer.tile(tile, request.ticket)),
    etag: `"${tile.etag}"`,
    cached: await terrainTiles.isCached(tile),
  }));
  return answerExplained(request, mode, {
    plan,
    work: (ticket) => terrainTiles.render(planned, ticket),
    describe: ({ format, bytes, stagesMs, etag }) => ({ stagesMs, picture: { format, bytes }, etag }),
  });
}

interface ExplainedValues {
  readonly explains: 'elevation' | 'profile' | 'terrain-statistics';
  readonly mode: ExplainMode;
  readonly heights: ExplainedHeights;
  /** Reads them. */
  readonly work: (ticket: Ticket) => Promise<unknown>;
}

/** Answers with what heights are read from; with `drawn` also reads them. */
export const explainHeights = (
  request: ApiRequest,
  { explains, mode, heights, work }: ExplainedValues,
): Promise<Answer> => answerExplained(request, mode, { plan: toWireHeights(explains, heights), work });

const toWireHeights = (
  explains: string,
  { grid, models, isUnknown, inputs, steps, bytes, limitBytes }: ExplainedHeights,
) => ({
  explains,
  models,
  empty: isUnknown,
  grid: toWireGrid(grid),
  inputs: inputs.map(({ dem, file, bandIndex, level, window, method, scale, offset, ...findings }) => ({
    role: 'heights',
    model: dem,
    file: { ...file, band_index: bandIndex },
    read: {
      level,
      ...(findings.survey === null ? {} : { level_size: findings.survey.levelSize }),
      window,
      resampling: method,
    },
    calibration: { rule: scale === 1 && offset === 0 ? 'plain' : 'metres', parameters: { scale, offset } },
    ...toWireFindings(findings),
  })),
  steps,
  cost: { bytes, bytes_limit: limitBytes },
});
