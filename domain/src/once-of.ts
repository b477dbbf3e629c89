/** Computes anew when the array is another one. */
export function onceOf<Item, Made>(make: (items: readonly Item[]) => Made): (items: readonly Item[]) => Made {
  let last: { items: readonly Item[]; made: Made } | null = null;
  return (items) => {
    if (last?.items !== items) last = { items, made: make(items) };
    return last.made;
  };
}
