/** What Chromium's translation does to a page: it moves the words of each text node into two elements of its own. */

const untranslated = new Set(['SCRIPT', 'STYLE', 'TEXTAREA', 'FONT']);

/** Translates all text of the page that is not translated yet, into the same words. */
export function translatePage(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) {
    if (!untranslated.has(walker.currentNode.parentElement?.tagName ?? '')) texts.push(walker.currentNode);
  }
  for (const text of texts) {
    const outer = document.createElement('font');
    const inner = outer.appendChild(document.createElement('font'));
    // A new node with the words: the one that React knows is no longer in the page.
    inner.textContent = text.nodeValue;
    text.parentNode?.replaceChild(outer, text);
  }
}
