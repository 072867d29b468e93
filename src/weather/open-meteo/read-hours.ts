import { DAY_MS, HOUR_MS } from '../../units.ts';
import { toCallCount } from './call-budget.ts';
import type { HoursRequest } from './hours-request.ts';
import { toPath } from './hours-request.ts';
import { parseHours } from './parse-answer.ts';
import type { ServerAccess } from './server-access.ts';
import type { HourSteps } from './to-steps.ts';
import { toSteps } from './to-steps.ts';

/** A number, its comma, and room for unneeded digits. */
const BYTES_OF_VALUE = 32;
/** Everything of an answer that is not in its arrays. */
const BYTES_OF_LOCATION = 16_384;

/** Reads `stepCount` hours from the start of a request; null where the model has none. */
export function readHours(
  { ask, toUrl }: ServerAccess,
  request: HoursRequest,
  stepCount: number,
  signal: AbortSignal,
): Promise<HourSteps | null> {
  const { api, locations, variables } = request;
  const days = (request.endMs - request.startMs) / DAY_MS;
  const valueCount = ((request.endMs - request.startMs) / HOUR_MS) * (variables.length + 1);
  return ask[api]({
    url: toUrl(api, toPath(request)),
    maxBytes: locations.length * (BYTES_OF_LOCATION + valueCount * BYTES_OF_VALUE),
    calls: toCallCount({ variables: variables.length, days, locations: locations.length }),
    signal,
    parse: (answer) => toSteps(parseHours(answer, request), request, stepCount),
  });
}
