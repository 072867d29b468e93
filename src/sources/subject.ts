import type { Subject } from '../errors.ts';

/** What errors of a source are about, unless its caller says otherwise. */
export const SCENE_FILES: Subject = { file: 'a file of this scene', server: 'a store of this scene' };
