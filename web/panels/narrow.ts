/** Pages as narrow as a phone, where a panel or a chart is a sheet below the map. The styles have the same width. */
export const isNarrow = (): boolean => matchMedia('(width <= 760px)').matches;
