import type { PlannedExport } from '../../exports/index.ts';
import type { Explainer } from '../../render/index.ts';
import { unsupported } from '../errors.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import { toPictureExplanation, toWireGrid, toWireInput } from './explain-answers.ts';
import type { MosaicExplainer } from './explain-mosaics.ts';
import { toMosaicExplanation } from './explain-mosaics.ts';
import { answerExplanation } from './explainable.ts';

/** What files are explained with. */
export interface FileExplainer {
  readonly explainer: Pick<Explainer, 'picture' | 'plan'> & MosaicExplainer['explainer'];
  readonly mosaics: MosaicExplainer['mosaics'];
}

/** Refuses to draw: an estimate makes no file, and an order is carried out by a task. */
export function refuseDrawn(mode: ExplainMode): void {
  if (mode === 'drawn') throw unsupported('not-explained', 'Files are made by tasks; use explain=1.');
}

/** Answers with the plan of a file: what is read for it, or for one of the parts that it is made in. */
export async function explainFile(
  request: ApiRequest,
  file: PlannedExport,
  deps: FileExplainer,
): Promise<Answer> {
  const { fileName, contentType, estimatedBytes, blocks } = file;
  return answerExplanation(request, {
    explains: 'file',
    file_name: fileName,
    content_type: contentType,
    estimated_bytes: estimatedBytes,
    blocks,
    ...(await toContent(request, file, deps)),
  });
}

async function toContent(request: ApiRequest, file: PlannedExport, deps: FileExplainer) {
  const content = await file.describe();
  const { ticket } = request;
  switch (content.kind) {
    case 'picture': {
      const { grid, tile } = content;
      const explained = await deps.explainer.picture(tile, ticket);
      return { grid: toWireGrid(grid), tile: toPictureExplanation('picture', explained) };
    }
    case 'mosaic': {
      const { grid, block } = content;
      const explains = block.request.options.areValues === true ? 'mosaic-values' : 'mosaic';
      return {
        grid: toWireGrid(grid),
        block: await toMosaicExplanation(request, { explains, planned: block }, deps),
      };
    }
    case 'pixels': {
      const images = [];
      for (const { bands, plan, isStored } of content.images) {
        const { grid, inputs, steps } = await deps.explainer.plan({ bands, plan }, ticket);
        images.push({
          bands,
          grid: toWireGrid(grid),
          inputs: inputs.map(toWireInput),
          steps: [
            ...steps.filter(({ step }) => !(isStored && step === 'math')),
            { step: 'write', stage: 'encode', detail: isStored ? 'numbers as they are stored' : 'float32' },
          ],
        });
      }
      return { images };
    }
  }
}
