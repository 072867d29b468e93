import type { Explainer, PlannedPicture, Renderer } from '../../render/index.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { ExplainMode } from '../kit/parameters.ts';
import type { Metrics } from '../metrics.ts';
import { toPictureExplanation } from './explain-answers.ts';
import { answerExplained } from './explainable.ts';

/** What pictures are explained with. */
interface ExplainDeps {
  readonly explainer: Pick<Explainer, 'picture'>;
  readonly renderer: Renderer;
  readonly mode: ExplainMode;
}

/** What drawing one reports. */
interface DrawingDeps {
  readonly metrics: Metrics;
  /** When the handler began. */
  readonly startedAt: number;
}

/** Answers with the plan of a picture, and after drawing it with where the time went. */
export async function explainPicture(
  request: ApiRequest,
  planned: PlannedPicture,
  { explainer, renderer, metrics, startedAt, mode }: ExplainDeps & DrawingDeps,
): Promise<Answer> {
  const planMs = performance.now() - startedAt;
  const plan = toPictureExplanation('picture', await explainer.picture(planned, request.ticket));
  return answerExplained(request, mode, {
    plan,
    work: (ticket) => renderer.render(planned, ticket),
    describe({ format, bytes, stagesMs, etag }) {
      const stages = { plan: planMs, ...stagesMs };
      for (const [stage, ms] of Object.entries(stages)) metrics.observeRender(stage, ms / 1000);
      return { stagesMs: stages, picture: { format, bytes }, etag };
    },
  });
}

/** Answers with the plan of the picture, and after measuring its contrast with where the time went. */
export async function explainLegend(
  request: ApiRequest,
  planned: PlannedPicture,
  { explainer, renderer, mode }: ExplainDeps,
): Promise<Answer> {
  const plan = toPictureExplanation('legend', await explainer.picture(planned, request.ticket));
  return answerExplained(request, mode, {
    plan,
    async work(ticket) {
      await renderer.findContrast(planned, ticket);
      await renderer.findColor(planned, ticket);
    },
  });
}
