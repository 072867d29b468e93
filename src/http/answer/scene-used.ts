/** The header that names the scene that was used: Level-2A of Sentinel-2 may answer for Level-1C. */
const SCENE_HEADER = 'x-swath-scene';

/** The same for the documentation. */
export const sceneHeaders = {
  [SCENE_HEADER]:
    'The scene that was used: Level-2A of Sentinel-2 answers where Level-1C is not in the catalog.',
} as const;

/** Says in an answer which scene it was made of. */
export function nameScene(response: Response, { viewId }: { readonly viewId: string }): Response {
  response.headers.set(SCENE_HEADER, viewId);
  return response;
}
