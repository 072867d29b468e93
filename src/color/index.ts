export { type PaintedPlanes, paintPlanes, type Stretch } from './stretch.ts';
