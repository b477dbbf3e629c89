/**
 * Styles that come with the code of a screen which few visitors open, and not in the one sheet that every page waits for.
 * A class has the prefix in the sheet, and not where the screen names it.
 */
export function ownSheet(prefix: string, css: string): Readonly<Record<string, string>> {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return new Proxy({}, { get: (_, name) => `${prefix}-${String(name)}` });
}
