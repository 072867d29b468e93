/** The value of the header `Server-Timing`: milliseconds of each stage. */
export const toServerTiming = (stagesMs: Readonly<Record<string, number>>): string =>
  Object.entries(stagesMs)
    .map(([stage, ms]) => `${stage};dur=${ms.toFixed(2)}`)
    .join(', ');
