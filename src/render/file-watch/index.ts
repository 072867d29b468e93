export { type FileWatch, type FileWatchDeps, makeFileWatch } from './file-watch.ts';
export { withCurrentFiles } from './with-current-files.ts';
