import type { RenderOptions } from '../plan-picture.ts';

/** What a request without any query asks for. */
export const defaultOptions: RenderOptions = {
  format: 'auto',
  method: null,
  range: null,
  calibrated: false,
  isComposite: false,
  color: {},
  area: null,
  watermark: null,
};
