/** Opens the forms of pictures and reports, whose code is loaded with the first one. */
import { loadPart } from '../panels/load-part.ts';
import type { PanelContext } from '../panels/panel-context.ts';
import type { ReportedField } from './make-report.ts';

const open = (context: PanelContext, field: ReportedField | null): void => {
  const { actions, texts } = context;
  loadPart({
    load: async () => (await import('./report-dialog.tsx')).openReportDialog(context, field),
    onFailure: ({ text, action }) => actions.report.showError(text, action),
    texts,
  });
};

/** Saves a picture of what the map shows. */
export const openPicture = (context: PanelContext): void => open(context, null);

/** Saves the report of a field: one that was drawn, or one that is stored. */
export const openFieldReport = (context: PanelContext, field: ReportedField): void => open(context, field);
