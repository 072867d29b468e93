/** Points that move a line by less than a tenth of a pixel are left out of what clients get: no one sees them. */
export const DISPLAY_TOLERANCE_PX = 0.1;
