/** The last render of an element: another object once its component has rendered again, also where it looks the same. */
export function renderOf(element: Element): unknown {
  const name = Object.keys(element).find((each) => each.startsWith('__reactProps$'));
  if (name === undefined) throw new Error('React has not rendered this element');
  return (element as unknown as Record<string, unknown>)[name];
}
