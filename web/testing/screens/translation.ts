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

/** What a dictionary or a highlighter does: it puts each word into an element of its own, beside the text between them. */
export function markWords(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const { currentNode } = walker;
    if (!unmarked.has(currentNode.parentElement?.tagName ?? '') && currentNode.nodeValue?.trim() !== '') {
      texts.push(currentNode as Text);
    }
  }
  for (const text of texts) {
    const parts = text.data.split(/(\s+)/u).filter((part) => part !== '');
    text.replaceWith(...parts.map((part) => (part.trim() === '' ? document.createTextNode(part) : markOf(part))));
  }
}

const unmarked = new Set([...untranslated, 'MARK']);

function markOf(word: string): HTMLElement {
  const mark = document.createElement('mark');
  mark.textContent = word;
  return mark;
}

/** What password managers, shops and image viewers do: marks of their own beside fields, and boxes around pictures. */
export function addOwnElements(): void {
  for (const found of document.body.querySelectorAll('input, button, ul, form, section')) {
    if (found.nextElementSibling?.tagName !== 'ADD-ON') found.after(document.createElement('add-on'));
    if (found.firstElementChild?.tagName !== 'ADD-ON' && found.tagName !== 'INPUT')
      found.prepend(document.createElement('add-on'));
  }
  for (const found of document.body.querySelectorAll('img, svg, input')) {
    if (found.parentElement?.tagName === 'ADD-BOX') continue;
    const box = document.createElement('add-box');
    found.replaceWith(box);
    box.append(found);
  }
}
