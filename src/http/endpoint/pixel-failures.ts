import type { Endpoint } from './endpoint.ts';

/** What may go wrong wherever pixels are read, for the documentation. */
export const pixelFailures: Endpoint['answers'] = {
  502: { description: 'A file of the scene is damaged or gone.' },
  503: { description: 'Too much work at once; come back after Retry-After seconds.' },
  504: { description: 'It took too long.' },
};
