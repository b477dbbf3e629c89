/** Takes a requirement out of a row of a table while something is asked, to show that the answer depends on it. */

/** `weaker` takes the requirement's place; undefined leaves none. The table is as before afterwards. */
export async function without<T>(
  row: object,
  requirement: string,
  weaker: string | undefined,
  ask: () => Promise<T>,
): Promise<T> {
  const table = row as Record<string, unknown>;
  const before = table[requirement];
  table[requirement] = weaker;
  try {
    return await ask();
  } finally {
    table[requirement] = before;
  }
}
