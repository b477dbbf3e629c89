/**
 * Text of a page that cannot be read: cut off, outside of the window, longer than its button, or under other text. Looks
 * at the page as it is drawn now; what a press opens is looked at once it is open.
 */

/** A page that can be asked: Playwright's, of any browser. */
interface AskedPage {
  evaluate(expression: string): Promise<unknown>;
}

interface Clipper {
  readonly by: HTMLElement;
  readonly box: DOMRect;
  readonly isX: boolean;
  readonly isY: boolean;
  readonly scrolls: boolean;
}

/** What decides how an element cuts and places what is in it. */
interface Style {
  readonly position: string;
  /** Places what is in it that has a place of its own. */
  readonly isPlace: boolean;
  readonly isX: boolean;
  readonly isY: boolean;
  readonly scrolls: boolean;
  /** Drawn for a screen reader only. */
  readonly isHeard: boolean;
}

interface Text {
  readonly words: string;
  readonly element: HTMLElement;
  readonly range: Range;
}

/** Each element is around many texts, and its style costs more than all else here: it is read once for a look. */
const styles = new Map<Element, Style>();

function styleOf(element: Element): Style {
  const known = styles.get(element);
  if (known) return known;
  const { position, transform, overflowX, overflowY, display, clipPath } = getComputedStyle(element);
  const style = {
    position,
    isPlace: position !== 'static' || transform !== 'none',
    isX: overflowX !== 'visible' && display !== 'inline',
    isY: overflowY !== 'visible' && display !== 'inline',
    scrolls: /auto|scroll/u.test(overflowX + overflowY),
    isHeard: clipPath === 'inset(50%)',
  };
  styles.set(element, style);
  return style;
}

/** The text of a page, or of the dialog that lies over it. What only a screen reader says is left out. */
function textsOn(): Text[] {
  const root = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document.body;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    const element = node.parentElement;
    const words = node.textContent?.trim().replaceAll(/\s+/gu, ' ') ?? '';
    if (words === '' || element === null || element.closest('script, style, noscript, option, svg')) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    let isHeard = false;
    for (let around: Element | null = element; around; around = around.parentElement) {
      isHeard ||= styleOf(around).isHeard;
    }
    const range = document.createRange();
    range.selectNodeContents(node);
    if (!isHeard) texts.push({ words, element, range });
  }
  return texts;
}

/** The letters of each line: the box of a line is taller than most of them. */
function inkOf(range: Range): DOMRect[] {
  return Array.from(range.getClientRects())
    .filter(({ width }) => width > 0)
    .map(({ left, top, width, height }) => new DOMRect(left, top + height * 0.15, width, height * 0.7));
}

/** The elements that cut what is drawn in this one, from the innermost to the outermost. */
function clippersOf(element: HTMLElement): Clipper[] {
  const clippers: Clipper[] = [];
  let position = 'static';
  for (let by: HTMLElement | null = element; by && by !== document.body; by = by.parentElement) {
    const style = styleOf(by);
    // What an ancestor further out places is not cut by those between.
    if (position === 'absolute' && !style.isPlace) continue;
    const { isX, isY, scrolls } = style;
    if (isX || isY) {
      const { left, top } = by.getBoundingClientRect();
      const box = new DOMRect(left + by.clientLeft, top + by.clientTop, by.clientWidth, by.clientHeight);
      clippers.push({ by, box, isX, isY, scrolls });
    }
    ({ position } = style);
    if (position === 'fixed') break;
  }
  return clippers;
}

function within(rect: DOMRect, { box, isX, isY }: Clipper): DOMRect {
  const [left, right] = isX
    ? [Math.max(rect.left, box.left), Math.min(rect.right, box.right)]
    : [rect.left, rect.right];
  const [top, bottom] = isY
    ? [Math.max(rect.top, box.top), Math.min(rect.bottom, box.bottom)]
    : [rect.top, rect.bottom];
  return new DOMRect(left, top, Math.max(right - left, 0), Math.max(bottom - top, 0));
}

/** Names, titles and messages of people may be of any length: they end in an ellipsis, which their own page does not. */
function mayBeShort({ words, element }: Text, by: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(by);
  if (textOverflow !== 'ellipsis' && webkitLineClamp === 'none') return false;
  const isOfPeople = element.closest('[dir="auto"]') !== null || by.querySelector('[dir="auto"]') !== null;
  return isOfPeople || element.closest('[title]')?.getAttribute('title')?.includes(words) === true;
}

/** One line of tabs or cards may go on sideways; a list or a page that scrolls down does not scroll sideways too. */
function isRow(by: HTMLElement): boolean {
  const { display, flexDirection } = getComputedStyle(by);
  return by.scrollHeight <= by.clientHeight + 1 && display === 'flex' && flexDirection.startsWith('row');
}

/** How far the rectangle goes out of the box, sideways, and upwards or downwards. */
function outOf(rect: DOMRect, box: DOMRect): { x: number; y: number } {
  return {
    x: Math.max(box.left - rect.left, rect.right - box.right),
    y: Math.max(box.top - rect.top, rect.bottom - box.bottom),
  };
}

function nameOf(element: HTMLElement): string {
  return `${element.localName}.${[...element.classList].join('.')}`;
}

/** What can be seen of each line, and the faults of its place. */
function lookAt(text: Text): { seen: DOMRect[]; faults: string[] } {
  const faults: string[] = [];
  let seen = inkOf(text.range);
  for (const clipper of clippersOf(text.element)) {
    const { by, box, isX, isY, scrolls } = clipper;
    const isHidden = box.width <= 1 || box.height <= 1;
    const [faultX, faultY] = [isX && !(scrolls && isRow(by)), isY && !scrolls];
    const cut = seen.map((rect) => outOf(rect, box)).find(({ x, y }) => (faultX && x > 1) || (faultY && y > 2));
    if (cut && !isHidden) {
      const px = String(Math.round(Math.max(cut.x, cut.y)));
      faults.push(mayBeShort(text, by) ? `short: ${text.words}` : `cut by ${nameOf(by)}, ${px} px: ${text.words}`);
    }
    seen = seen.map((rect) => within(rect, clipper)).filter(({ width, height }) => width > 1 && height > 1);
  }
  const button = text.element.closest<HTMLElement>('button, a, label, summary, [role="button"]');
  if (button && getComputedStyle(button).display !== 'inline') {
    const out = seen.map((rect) => outOf(rect, button.getBoundingClientRect())).find(({ x, y }) => x > 2 || y > 2);
    // A device without the picture of an emoji draws those that it is made of.
    if (out && /[\p{L}\p{N}]/u.test(text.words)) faults.push(`out of its ${nameOf(button)}: ${text.words}`);
  }
  const isOutside = seen.some(({ left, right }) => right > document.documentElement.clientWidth + 1 || left < -1);
  if (isOutside) faults.push(`outside of the window: ${text.words}`);
  return { seen, faults };
}

function isOpaque(element: Element): boolean {
  const { backgroundColor: colour, backgroundImage } = getComputedStyle(element);
  const alpha = /^rgba\(.*,|\/ /u.test(colour) ? /([\d.]+)\)$/u.exec(colour)?.[1] : '1';
  return element.matches('img, video, canvas, iframe') || backgroundImage !== 'none' || Number(alpha) >= 0.8;
}

function commonOf(first: readonly DOMRect[], second: readonly DOMRect[]): DOMRect | null {
  for (const one of first) {
    for (const other of second) {
      const [left, right] = [Math.max(one.left, other.left), Math.min(one.right, other.right)];
      const [top, bottom] = [Math.max(one.top, other.top), Math.min(one.bottom, other.bottom)];
      if (right - left > 2 && bottom - top > 2) return new DOMRect(left, top, right - left, bottom - top);
    }
  }
  return null;
}

/** True where both are drawn at a place that they share, with nothing opaque between them. */
function bothAreDrawn(first: Text, second: Text): boolean {
  const isInSight = ({ top, bottom }: DOMRect) => top >= 0 && bottom <= innerHeight;
  const now = () => commonOf(lookAt(first).seen, lookAt(second).seen);
  const before = now();
  if (before && !isInSight(before)) first.element.scrollIntoView({ block: 'center', behavior: 'instant' });
  const common = now();
  if (common === null) return false;
  const stack = document.elementsFromPoint(common.left + common.width / 2, common.top + common.height / 2);
  const places = [first, second].map(({ element }) => stack.indexOf(element));
  return !places.includes(-1) && !stack.slice(0, Math.max(...places)).some(isOpaque);
}

/** A placeholder that its empty field has no room for. */
function shortFields(): string[] {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')];
  return fields.flatMap((field) => {
    if (field.placeholder === '' || field.value !== '' || !field.checkVisibility({ visibilityProperty: true }))
      return [];
    const style = getComputedStyle(field);
    const ruler = document.createElement('span');
    const { font, fontStretch, letterSpacing } = style;
    Object.assign(ruler.style, { font, fontStretch, letterSpacing, position: 'fixed', whiteSpace: 'nowrap' });
    ruler.textContent = field.placeholder;
    document.body.append(ruler);
    const { width } = ruler.getBoundingClientRect();
    ruler.remove();
    const room = field.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
    return width > room + 1 ? [`placeholder cut, ${String(Math.round(width - room))} px: ${field.placeholder}`] : [];
  });
}

/** What makes the page wider than the window. */
function tooWide(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.querySelectorAll<HTMLElement>('body *')].filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return right > clientWidth + 1 || left < -1;
  });
  return wide.slice(0, 5).map((element) => `wider than the window: ${nameOf(element)}`);
}

/** Of these texts, those that are drawn over each other. */
function thoseOverOthers(pairs: readonly (readonly [Text, Text])[]): string[] {
  // Most pages have no such pair, and each style of theirs is computed anew for what follows.
  if (pairs.length === 0) return [];
  // What takes no press is drawn too.
  const pressable = new CSSStyleSheet();
  pressable.replaceSync('* { pointer-events: auto !important; }');
  document.adoptedStyleSheets.push(pressable);
  const from = { top: scrollY, left: scrollX, behavior: 'instant' } as const;
  const over = pairs.filter(([first, second]) => bothAreDrawn(first, second));
  document.adoptedStyleSheets.pop();
  scrollTo(from);
  return over.map(([first, second]) => `over each other: ${first.words} | ${second.words}`);
}

function faultsOfText(): string[] {
  const texts = textsOn().map((text) => ({ text, ...lookAt(text) }));
  const pairs = texts.flatMap(({ text: first, seen }, at) =>
    texts
      .slice(at + 1)
      .filter((second) => commonOf(seen, second.seen) !== null)
      .map(({ text: second }) => [first, second] as const),
  );
  const over = thoseOverOthers(pairs);
  return [...new Set([...tooWide(), ...texts.flatMap(({ faults }) => faults), ...over, ...shortFields()])];
}

const inPage = [
  ...[styleOf, textsOn, inkOf, clippersOf, within, isRow, mayBeShort, outOf, nameOf, lookAt, isOpaque, commonOf],
  ...[bothAreDrawn, thoseOverOthers, shortFields, tooWide, faultsOfText],
];

/**
 * Text that cannot be read on this page, each in words for a person who looks for the fault. Words of people may end in an
 * ellipsis; `sentences` of the product may not, wherever they stand.
 */
export async function textFaults(page: AskedPage, sentences: ReadonlySet<string> = new Set()): Promise<string[]> {
  const faults = (await page.evaluate(
    `(() => { const styles = new Map();\n${inPage.join('\n')}\nreturn faultsOfText(); })()`,
  )) as string[];
  const short = 'short: ';
  return faults.filter((fault) => !fault.startsWith(short) || sentences.has(fault.slice(short.length)));
}
