/** A file that the user chose or dropped: its shapes are chosen, offered, or refused in words. */
import { MAX_FILE_BYTES, Refusal } from '../import/refusal.ts';
import type { PanelContext } from './panel-context.ts';

/** Reads the file; the code for the formats is loaded with the first one. */
export const bringFile = async (file: File, context: PanelContext): Promise<void> => {
  const { actions, texts } = context;
  actions.openPanel('area');
  try {
    // Before it is read: a video that was dropped by mistake would fill the memory.
    if (file.size > MAX_FILE_BYTES) throw new Refusal('too-large');
    const reader = await import('../import/import-file.ts').catch(
      (error: unknown) => void console.error(error),
    );
    if (reader === undefined) {
      const again = { label: texts.frame.tryAgain, run: () => void bringFile(file, context) };
      return actions.report.showError(texts.frame.partFailed, again);
    }
    const shapes = await reader.importFile(file);
    actions.report.clear();
    actions.offerShapes(file.name, shapes);
  } catch (error) {
    if (!(error instanceof Refusal)) return actions.report.fail(error);
    const text = texts.area.refusals[error.reason];
    const sentence = typeof text === 'string' ? text : text(error.detail);
    actions.report.showError(`${file.name}: ${sentence}`);
  }
};
