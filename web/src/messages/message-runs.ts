/** Messages that follow each other from one writer form a run, drawn as one block. Pure. */

export interface PlaceInRun {
  readonly starts: boolean;
  readonly ends: boolean;
}

/** `continues` says whether a line belongs to the run of the line before it. */
export function inRuns<Line>(
  lines: readonly Line[],
  continues: (line: Line, before: Line, index: number) => boolean,
): readonly (Line & PlaceInRun)[] {
  const starts = lines.map((line, index) => {
    const before = lines[index - 1];
    return before === undefined || !continues(line, before, index);
  });
  return lines.map((line, index) => ({ ...line, starts: starts[index] ?? true, ends: starts[index + 1] ?? true }));
}
