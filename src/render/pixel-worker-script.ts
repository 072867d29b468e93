/** The script that each pixel thread runs; a module of its own thread, so it is named here and not imported. */
export const pixelWorkerScript = new URL('./pixel-worker.ts', import.meta.url);
