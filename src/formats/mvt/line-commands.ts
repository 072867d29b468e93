import { makeProtobufWriter, toZigzag } from './protobuf-writer.ts';

/** Commands of a geometry (Mapbox Vector Tile specification 2.1, section 4.3.1). */
const [MOVE_TO, LINE_TO] = [1, 2];

const toCommand = (id: number, count: number): number => id + 8 * count;

/**
 * Writes lines as commands that move a cursor; null if no line is left. A line may not repeat a point, and lines of a
 * single point are left out.
 */
export function writeLineCommands(lines: readonly Int32Array[]): Uint8Array | null {
  const commands = makeProtobufWriter();
  let [cursorX, cursorY] = [0, 0];
  let isEmpty = true;
  for (const line of lines) {
    const moves = countMoves(line);
    if (moves === 0) continue;
    isEmpty = false;
    for (let i = 0; i < line.length; i += 2) {
      const [dx, dy] = [line[i]! - cursorX, line[i + 1]! - cursorY];
      if (i > 0 && dx === 0 && dy === 0) continue;
      if (i === 0) commands.varint(toCommand(MOVE_TO, 1));
      commands.varint(toZigzag(dx)).varint(toZigzag(dy));
      if (i === 0) commands.varint(toCommand(LINE_TO, moves));
      cursorX += dx;
      cursorY += dy;
    }
  }
  return isEmpty ? null : commands.toBytes();
}

/** How often the point changes along a line. */
function countMoves(line: Int32Array): number {
  let moves = 0;
  for (let i = 2; i < line.length; i += 2)
    if (line[i] !== line[i - 2] || line[i + 1] !== line[i - 1]) moves++;
  return moves;
}
