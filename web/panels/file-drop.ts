/** Files that are dropped on the map. */
import { bringFile } from './bring-file.ts';
import { el } from './dom.ts';
import type { PanelContext } from './panel-context.ts';

const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** Starts taking files over `stage`, and shows while one hovers that it can be dropped. */
export const listenToDrops = (stage: HTMLElement, context: PanelContext): void => {
  const hint = el('p', { id: 'drop-hint', hidden: true }, context.texts.area.drop);
  stage.append(hint);
  stage.addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    // Allows the drop; otherwise the browser would leave the page and open the file.
    event.preventDefault();
    hint.hidden = false;
  });
  stage.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node) || !stage.contains(event.relatedTarget)) hint.hidden = true;
  });
  stage.addEventListener('drop', (event) => {
    hint.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    if (context.store.read().phase.kind === 'ready') void bringFile(file, context);
  });
};
