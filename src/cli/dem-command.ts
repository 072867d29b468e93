import type { DemStore, ListedDem } from '../terrain/index.ts';
import type { DemCommand } from './commands/index.ts';
import { printTable } from './print-table.ts';
import type { Terminal } from './terminal.ts';

interface DemDeps {
  readonly dems: DemStore;
  /** Deletes the overview mosaics that Swath has made of a model. */
  readonly removeOverviews: (dem: string) => Promise<void>;
  readonly terminal: Terminal;
}

/** `swath dem list|remove|order`; false when a model was not there. */
export async function runDem(
  command: DemCommand,
  { dems, removeOverviews, terminal }: DemDeps,
): Promise<boolean> {
  switch (command.name) {
    case 'dem list': {
      printDems(await dems.list(), command.json, terminal);
      return true;
    }
    case 'dem remove': {
      const count = await dems.removeDem(command.model);
      if (count === null) return sayUnknown(command.model, terminal);
      await removeOverviews(command.model);
      const files = count === 1 ? '1 file' : `${count} files`;
      terminal.line(`Removed the model ${command.model} of ${files} from the catalog; its files stay.`);
      return true;
    }
    case 'dem order': {
      const dem = await dems.find(command.model);
      if (dem === null) return sayUnknown(command.model, terminal);
      if (dem.order !== command.order) await dems.putDem({ ...dem, order: command.order });
      terminal.line(`The model ${command.model} has the order ${command.order}.`);
      return true;
    }
  }
}

function sayUnknown(name: string, { note }: Terminal): false {
  note(`There is no model ${name}; "swath dem list" shows them.`);
  return false;
}

function printDems(listed: readonly ListedDem[], json: boolean, terminal: Terminal): void {
  const { line, note } = terminal;
  if (json) {
    line(JSON.stringify(listed, null, 2));
    return;
  }
  if (listed.length === 0) {
    line('There is no elevation model. "swath ingest dem <folder, file or address>" adds one.');
    return;
  }
  const rows: string[][] = [];
  for (const dem of listed) {
    const { west, south, east, north } = dem.bounds;
    rows.push([
      dem.name,
      String(dem.order),
      String(dem.fileCount),
      toResolution(dem),
      [west, south, east, north].map(toDegrees).join(', '),
      dem.gaps,
      dem.overviews.length === 0 ? 'none' : String(dem.overviews.length),
    ]);
  }
  printTable(terminal, {
    header: ['name', 'order', 'files', 'resolution', 'west, south, east, north', 'gaps', 'overviews'],
    rows,
  });
  const attributed = listed.flatMap(({ name, attribution }) =>
    attribution === null ? [] : [`${name}: ${attribution}`],
  );
  for (const text of attributed) note(text);
}

/** To two digits; a range where the files of a model differ. */
function toResolution({ finestM, coarsestM }: ListedDem): string {
  const toText = (metres: number): string => String(Number(metres.toPrecision(2)));
  const [finest, coarsest] = [toText(finestM), toText(coarsestM)];
  return finest === coarsest ? `${finest} m` : `${finest} to ${coarsest} m`;
}

const toDegrees = (value: number): string => String(Number(value.toFixed(3)));
