export { makeDemoScene } from './make-demo-scene.ts';
