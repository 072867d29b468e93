/** The area and the line of the user, and how they are drawn. */
import type { Outline } from '../scenes/footprint.ts';
import type { Position, Shape } from '../shapes/shape.ts';
import type { Point } from './map-view.ts';

/** An area that the user drew or brought. */
export interface Area {
  readonly outline: Outline;
  /** What the file called it; `null` when it was drawn. */
  readonly name: string | null;
}

/** A line that the user drew or brought. */
export interface Line {
  readonly positions: readonly Position[];
  readonly name: string | null;
}

/** What a click on the map does while shapes are drawn: begins or continues one, or edits it. */
export type Tool = 'polygon' | 'rectangle' | 'circle' | 'line' | 'edit-area' | 'edit-line';

/** The shapes at one time, as undoing needs them. */
export interface Shapes {
  readonly area: Area | null;
  readonly line: Line | null;
}

/** Drawing: the tool in hand, the line, and what there was before. */
export interface Drawing {
  readonly tool: Tool | null;
  readonly line: Line | null;
  /** A point of the line that is pointed at in its profile. */
  readonly marked: Point | null;
  /** Shapes of a file that the user has to choose from. */
  readonly offered: { readonly fileName: string; readonly shapes: readonly Shape[] } | null;
  readonly past: readonly Shapes[];
  readonly future: readonly Shapes[];
}

/** Nothing drawn. */
export const NO_DRAWING: Drawing = {
  tool: null,
  line: null,
  marked: null,
  offered: null,
  past: [],
  future: [],
};
