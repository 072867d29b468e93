/** The first date in the name of a file, in milliseconds: 20260502, 2026-05-02, 2026_05_02 or 2026122 (day of year). */
export function parseFileDate(name: string): number | null {
  const day =
    /(?<!\d)((?:19|20)\d\d)([-_.]?)(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?=\D|\d{6}(?!\d)|\d{4}(?!\d)|$)/.exec(
      name,
    );
  if (day !== null) {
    const [year, month, date] = [Number(day[1]), Number(day[3]), Number(day[4])];
    const ms = Date.UTC(year, month - 1, date);
    // 30 February rolls over into March.
    return new Date(ms).getUTCDate() === date ? ms : null;
  }
  const ofYear = /(?<!\d)((?:19|20)\d\d)[-_.]?([0-3]\d\d)(?!\d)/.exec(name);
  if (ofYear === null) return null;
  const [year, number] = [Number(ofYear[1]), Number(ofYear[2])];
  const ms = Date.UTC(year, 0, number);
  return number >= 1 && new Date(ms).getUTCFullYear() === year ? ms : null;
}
