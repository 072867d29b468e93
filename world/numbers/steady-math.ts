/**
 * Exponentials, logarithms and angles that are the same to the last bit everywhere. Engines and processors may round
 * `Math.exp`, `Math.sin` and their kin differently, and one bit can turn a stored pixel; + - * / and square roots are
 * exact by standard, so these are made of them alone. Good to about 1e-13, which is plenty; not for use once a pixel.
 */

const ln2 = Math.LN2;
const halfTurn = Math.PI;

/** Radians from degrees. */
export const toRadians = (degrees: number): number => (degrees * halfTurn) / 180;

/** Degrees from radians. */
export const toDegrees = (radians: number): number => (radians * 180) / halfTurn;

/** e to the power of x, for x between about -700 and 700. */
export function exp(x: number): number {
  const doublings = Math.round(x / ln2);
  const rest = x - doublings * ln2;
  let sum = 1;
  for (let n = 14; n > 0; n--) sum = 1 + (sum * rest) / n;
  const factor = doublings < 0 ? 0.5 : 2;
  for (let n = Math.abs(doublings); n > 0; n--) sum *= factor;
  return sum;
}

/** Natural logarithm of a positive number. */
export function ln(x: number): number {
  let rest = x;
  let doublings = 0;
  for (; rest > Math.SQRT2; doublings++) rest /= 2;
  for (; rest < Math.SQRT1_2; doublings--) rest *= 2;
  // ln(r) = 2 artanh((r - 1) / (r + 1)), a series that shrinks thirty-fold a term.
  const t = (rest - 1) / (rest + 1);
  let sum = 0;
  for (let n = 19; n >= 1; n -= 2) sum = sum * t * t + 1 / n;
  return doublings * ln2 + 2 * t * sum;
}

/** A positive number to any power. */
export const power = (base: number, exponent: number): number => exp(exponent * ln(base));

/** Sine of an angle in radians. */
export function sin(radians: number): number {
  const halfTurns = Math.round(radians / halfTurn);
  const rest = radians - halfTurns * halfTurn;
  let sum = 1;
  for (let n = 20; n > 1; n -= 2) sum = 1 - (sum * rest * rest) / (n * (n + 1));
  return halfTurns % 2 === 0 ? sum * rest : -sum * rest;
}

/** Cosine of an angle in radians. */
export const cos = (radians: number): number => sin(radians + halfTurn / 2);

/** Angle of the direction (x, y) from the x axis, in radians between -pi and pi. */
export function angleOf(y: number, x: number): number {
  if (x === 0 && y === 0) return 0;
  const across = Math.abs(y) > Math.abs(x);
  let t = across ? x / y : y / x;
  // Halving the angle twice brings the tangent below 0.2, where the series is short.
  for (let n = 0; n < 2; n++) t /= 1 + Math.sqrt(1 + t * t);
  let sum = 0;
  for (let n = 23; n >= 1; n -= 2) sum = 1 / n - sum * t * t;
  const angle = 4 * t * sum;
  if (across) return (y > 0 ? halfTurn : -halfTurn) / 2 - angle;
  if (x > 0) return angle;
  return y >= 0 ? angle + halfTurn : angle - halfTurn;
}

/** Angle between -pi/2 and pi/2 whose sine is given. */
export const arcSine = (sine: number): number => angleOf(sine, Math.sqrt(Math.max(0, 1 - sine * sine)));
