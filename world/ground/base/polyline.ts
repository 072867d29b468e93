/** A point in local metres. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const between = (a: Point, b: Point, t: number): Point => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
});

/** Distance between two locations. */
export function distanceM(a: Point, b: Point): number {
  return Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/** Chaikin's corner cutting; end points stay. */
export function smoothLine(points: readonly Point[], rounds: number): readonly Point[] {
  let line = points;
  for (let round = 0; round < rounds && line.length > 2; round++) {
    const cut: Point[] = [line[0]!];
    for (let i = 0; i + 1 < line.length; i++) {
      cut.push(between(line[i]!, line[i + 1]!, 0.25), between(line[i]!, line[i + 1]!, 0.75));
    }
    cut.push(line.at(-1)!);
    line = cut;
  }
  return line;
}

/** The same line with points about `spacingM` apart; end points stay. */
export function resampleLine(points: readonly Point[], spacingM: number): Point[] {
  const result: Point[] = [points[0]!];
  let missing = spacingM;
  for (let i = 0; i + 1 < points.length; i++) {
    let from = points[i]!;
    const to = points[i + 1]!;
    let left = distanceM(from, to);
    while (left >= missing) {
      from = between(from, to, missing / left);
      result.push(from);
      left = distanceM(from, to);
      missing = spacingM;
    }
    missing -= left;
  }
  const last = points.at(-1)!;
  if (distanceM(result.at(-1)!, last) < spacingM / 2 && result.length > 1) result.pop();
  result.push(last);
  return result;
}
