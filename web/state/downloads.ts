/** What the download panel is about: the order that is being made up, and the tasks of the key. */
import type { Task } from '../../clients/typescript/src/tasks.ts';

/** What can be ordered of a scene. */
export const DOWNLOAD_KINDS = ['bands', 'index', 'picture'] as const;

/** Files of pictures: an image, one with a world file in an archive, or an overlay. */
export const PICTURE_FILES = ['jpeg', 'png', 'tiff', 'world-jpeg', 'world-png', 'kmz'] as const;

/** What of the scene. */
export const DOWNLOAD_AREAS = ['scene', 'view', 'area'] as const;

/** The choices of an order. */
export interface DownloadForm {
  readonly kind: (typeof DOWNLOAD_KINDS)[number];
  /** `null` for the bands of the picture on the map. */
  readonly bands: readonly string[] | null;
  /** `null` for what is on the map, if it is one value a pixel, or the first index. */
  readonly expressions: readonly string[] | null;
  readonly where: (typeof DOWNLOAD_AREAS)[number];
  readonly file: (typeof PICTURE_FILES)[number];
  /** Metres on the ground; `null` for the finest band's. */
  readonly pixelM: number | null;
  /** Bands of one resolution in one file. */
  readonly isMerged: boolean;
  /** For the name of the file; empty for the name of what it holds. */
  readonly name: string;
}

/** An order as the server takes it. */
export interface DownloadOrder {
  readonly type: 'lbe' | 'bandmath' | 'jpeg';
  readonly params: Readonly<Record<string, unknown>>;
}

/** A task of the list. */
export type DownloadTask = Task;

/** How large the file will be, or why the order is refused. */
export type Estimate =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'known'; readonly bytes: number; readonly fileName: string }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly text: string;
      /** Whether the same order can be taken later: when other tasks are over, or files are deleted. */
      readonly canRetry: boolean;
    };

/** The state of the panel. */
export interface Downloads {
  readonly form: DownloadForm;
  readonly estimate: Estimate;
  /** Whether an order is on its way to the server. */
  readonly isOrdering: boolean;
  /** Newest first; `null` before the first answer. */
  readonly tasks: readonly DownloadTask[] | null;
  /** The id after which the next page begins; `null` when all are listed. */
  readonly next: string | null;
  /** Why the list could not be read. */
  readonly failure: string | null;
}

/** Before anything was chosen. */
export const NO_DOWNLOADS: Downloads = {
  form: {
    kind: 'bands',
    bands: null,
    expressions: null,
    where: 'scene',
    file: 'jpeg',
    pixelM: null,
    isMerged: true,
    name: '',
  },
  estimate: { kind: 'unknown' },
  isOrdering: false,
  tasks: null,
  next: null,
  failure: null,
};

/** True while something is still to happen to a task. */
export const isOpenTask = ({ state }: DownloadTask): boolean => state === 'queued' || state === 'running';
