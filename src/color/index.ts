export { paintPlanes, type RgbaImage, type Stretch } from './stretch.ts';
