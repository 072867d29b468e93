export { paintPlanes, type RgbaImage, type Stretch, toRgba } from './stretch.ts';
