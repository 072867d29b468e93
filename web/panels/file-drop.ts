/** Files that are dropped on the page. */
import { bringFile } from './bring-file.ts';
import { usesOf } from './file-uses.ts';
import { byId } from './page.ts';
import type { PanelContext } from './panel-context.ts';

const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** What can become fields is asked about; other files are shown, or refused in words. */
const take = async (file: File, context: PanelContext): Promise<void> => {
  const { actions, texts } = context;
  if (!usesOf(file.name).isFields) return bringFile(file, context);
  const dialog = await import('./drop-dialog.tsx').catch((error: unknown) => void console.error(error));
  if (dialog !== undefined) return dialog.askAboutFile(file, context);
  actions.report.showError(texts.frame.partFailed, {
    label: texts.frame.tryAgain,
    run: () => void take(file, context),
  });
};

/**
 * Starts taking files, and shows over the map while one hovers that it can be dropped. All of the page takes them: a file
 * that misses the map would make the browser leave the page and open the file.
 */
export const listenToDrops = (context: PanelContext): void => {
  const hint = byId('drop-hint');
  hint.textContent = context.texts.area.drop;
  const canTake = (): boolean =>
    context.store.read().phase.kind === 'ready' && document.querySelector('dialog[open]') === null;
  addEventListener('dragover', (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    hint.hidden = !canTake();
    if (!canTake() && event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
  });
  addEventListener('dragleave', (event) => {
    // It left the window.
    if (event.relatedTarget === null) hint.hidden = true;
  });
  addEventListener('drop', (event) => {
    hint.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return;
    event.preventDefault();
    if (canTake()) void take(file, context);
  });
};
