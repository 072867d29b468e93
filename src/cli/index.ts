export { type Command, parseCommand } from './arguments.ts';
export { type Finding, printReport, type ReportSection } from './doctor-command.ts';
export { printGreeting } from './greeting.ts';
export { printHelp } from './help.ts';
export { runKeys } from './keys-command.ts';
export { makeTerminal, type Terminal } from './terminal.ts';
