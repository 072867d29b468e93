import type { DemoSceneOptions } from './demo/make-demo-scene.ts';
import type { NewScene } from './scene.ts';

/** Makes the files and the record of the demo scene. Loaded when used: few starts need the landscape and its codecs. */
export async function makeDemoScene(options: DemoSceneOptions): Promise<NewScene> {
  const demo = await import('./demo/index.ts');
  return demo.makeDemoScene(options);
}
