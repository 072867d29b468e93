import type { Explainer, PlannedPicture, Renderer } from '../../render/index.ts';
import type { Answer } from '../kit/answers.ts';
import type { ApiRequest } from '../kit/endpoint.ts';
import type { Metrics } from '../metrics.ts';
import type { ExplainMode } from './explain-answers.ts';
import { answerExplanation, toPictureExplanation, traceJobs } from './explain-answers.ts';

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
  const explained = toPictureExplanation('picture', await explainer.picture(planned, request.ticket));
  if (mode === 'plan') return answerExplanation(request, explained);
  const trace = traceJobs(request.ticket);
  const { format, bytes, stagesMs, etag } = await renderer.render(planned, trace.ticket);
  const stages = { plan: planMs, ...stagesMs };
  for (const [stage, ms] of Object.entries(stages)) metrics.observeRender(stage, ms / 1000);
  const drawn = { ...trace.toDrawn(stages), picture: { format, bytes: bytes.length } };
  return answerExplanation(request, { ...explained, etag: `"${etag}"`, drawn });
}

/** Answers with the plan of the picture, and after measuring its contrast with where the time went. */
export async function explainLegend(
  request: ApiRequest,
  planned: PlannedPicture,
  { explainer, renderer, mode }: ExplainDeps,
): Promise<Answer> {
  const explained = toPictureExplanation('legend', await explainer.picture(planned, request.ticket));
  if (mode === 'plan') return answerExplanation(request, explained);
  const trace = traceJobs(request.ticket);
  await renderer.findContrast(planned, trace.ticket);
  await renderer.findColor(planned, trace.ticket);
  return answerExplanation(request, { ...explained, drawn: trace.toDrawn() });
}
