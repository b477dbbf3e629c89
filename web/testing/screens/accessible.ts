/** Accessibility checks of a screen, in each theme and size. */
import axe from 'axe-core';
import { expect, TestRunner } from 'vitest';
import { type Look, look, allLooks, wide } from './browser.ts';

/** Every rule for levels A and AA of WCAG 2.2, the experimental ones too. */
const levels = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const rules = Object.fromEntries(
  axe
    .getRules(levels)
    .filter(({ tags }) => !tags.includes('deprecated'))
    .map(({ ruleId }) => [ruleId, { enabled: true }]),
);

/** Axe's own, which its types leave out: a colour is read from its text into its parts. */
interface Colour {
  r: number;
  g: number;
  b: number;
  alpha: number;
  parseString(text: string): Colour;
}

/** Axe reads colours anew for each element, a sixth of its work, and a page has few different ones. */
function rememberColours(colour: Colour): void {
  const { parseString } = colour;
  const known = new Map<string, Pick<Colour, 'r' | 'g' | 'b' | 'alpha'>>();
  colour.parseString = function parse(this: Colour, text) {
    const parts = known.get(text);
    if (parts) return Object.assign(this, parts);
    parseString.call(this, text);
    const { r, g, b, alpha } = this;
    known.set(text, { r, g, b, alpha });
    return this;
  };
}
const { color } = axe.commons as unknown as { color: { Color: { prototype: Colour } } };
rememberColours(color.Color.prototype);

// The source of each element that a rule looks at is written out, that of the whole page too. Few are at fault.
axe.configure({ noHtml: true });

/** A lock of the orientation stands in the style sheets alone, and axe reads all of each of them to find it. */
const lockRule = 'css-orientation-lock';

/** How many rules each style sheet had when axe found no lock in it. */
const unlocked = new WeakMap<CSSStyleSheet, number>();

const sheetsToRead = () =>
  Array.from(document.styleSheets)
    .map((sheet) => [sheet, sheet.cssRules.length] as const)
    .filter(([sheet, size]) => unlocked.get(sheet) !== size);

/** The rules that see colours, which alone differ between two themes of one size: a theme sets nothing else. */
const colourRules = ['color-contrast', 'link-in-text-block'];

/** In which looks a state is checked: all four; each theme and each size once; both themes at the current size. */
const examined = {
  all: () => allLooks,
  both: () => allLooks.filter(({ theme, width }) => (theme === 'dark') === (width === wide.width)),
  this: () => allLooks.filter(({ width }) => width === window.innerWidth),
};

/** Looks that the short form of the tests leaves out, of one test; the results reporter adds them up. */
declare module 'vitest' {
  interface TaskMeta {
    looksLeftOut?: number;
  }
}

const coversEverything = import.meta.env['COVERS_EVERYTHING'] === 'true';

/** The first of `looks` at the current size; the others are counted. */
function oneOf(looks: readonly Look[]): readonly Look[] {
  const one = looks.filter(({ width }) => width === window.innerWidth).slice(0, 1);
  const meta = TestRunner.getCurrentTest()?.meta;
  if (meta) meta.looksLeftOut = (meta.looksLeftOut ?? 0) + looks.length - one.length;
  return one;
}

/**
 * Fails for each violation that axe finds, for a page that is wider than its window, and for parts of what scrolls that
 * stay behind. Each screen and panel is
 * checked in `all` looks in the state that shows most of it, and in `both` themes and sizes in the others. A state
 * that a change of size would end is checked in `this` size. A run that does not cover everything looks once. The window
 * size is restored afterwards.
 */
export async function expectAccessible(
  looks: keyof typeof examined = 'both',
  looksOnce = !coversEverything,
): Promise<void> {
  const before = { theme: 'dark', width: window.innerWidth, height: window.innerHeight } as const;
  let structureSeenAt = 0;
  for (const one of looksOnce ? oneOf(examined[looks]()) : examined[looks]()) {
    await look(one);
    const where = `${location.pathname}, ${one.theme}, ${String(one.width)} px`;
    expectNone(await violations(one.width === structureSeenAt), where);
    if (one.width !== structureSeenAt) expectNone(leftBehind(), where);
    structureSeenAt = one.width;
    if (document.documentElement.scrollWidth > window.innerWidth) {
      expect.fail(`scrolls sideways: ${where}, because of ${tooWide().join(' ')}`);
    }
  }
  await look(before);
}

/** Names each fault in the message itself: the list of an assertion is cut there. */
function expectNone(faults: readonly string[], where: string): void {
  if (faults.length > 0) expect.fail(`${where}: ${faults.join('\n')}`);
}

/** What axe finds while nothing moves: a picture that began to change while axe looked at it is looked at again. */
async function violations(onlyColours: boolean): Promise<string[]> {
  for (;;) {
    await arrived();
    const sheets = onlyColours ? [] : sheetsToRead();
    let hasMoved = false;
    const moves = ({ target }: Event) => {
      hasMoved ||= target instanceof Element && target.getAnimations().some(isEnding);
    };
    for (const type of movements) document.addEventListener(type, moves);
    const found = await axe.run(document, {
      ...(onlyColours ? { runOnly: { type: 'rule', values: colourRules } } : everyRule(sheets.length > 0)),
      resultTypes: ['violations'],
      elementRef: true,
    });
    for (const type of movements) document.removeEventListener(type, moves);
    const faults = found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ element, failureSummary = '' }) => `${id}: ${sourceOf(element)} ${failureSummary}`),
    );
    if (found.passes.some(({ id }) => id === lockRule)) for (const [sheet, size] of sheets) unlocked.set(sheet, size);
    if (faults.length === 0 || !hasMoved) return faults;
  }
}

const everyRule = (readsSheets: boolean) => ({
  runOnly: { type: 'tag' as const, values: levels },
  rules: { ...rules, [lockRule]: { enabled: readsSheets } },
  preload: { assets: readsSheets ? ['cssom', 'media'] : ['media'] },
});

const sourceOf = (element?: Element): string => element?.outerHTML.slice(0, 300) ?? '';

const movements = ['transitionrun', 'animationstart'] as const;

/** Whether it moves something now and ends by itself. */
function isEnding({ effect, playState }: Animation): boolean {
  return playState !== 'finished' && effect?.getComputedTiming().endTime !== Infinity;
}

/** Waits until the look is drawn and its transitions have ended; endless animations are ignored. */
async function arrived(): Promise<void> {
  for (;;) {
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    const ending = document.getAnimations().filter(isEnding);
    if (ending.length === 0) return;
    // The end of one may begin another, as a button's that the page moved away from under the pointer.
    await Promise.all(ending.map(({ finished }) => finished.catch(() => undefined)));
  }
}

/** A scroller has to hold its parts: those of a box around it stay where they are, and lengthen the page. */
function leftBehind(): string[] {
  const scrollers = Array.from(document.body.querySelectorAll('*')).filter((element) => {
    const { overflowY, position } = getComputedStyle(element);
    return position === 'static' && (overflowY === 'auto' || overflowY === 'scroll');
  });
  return scrollers.flatMap((scroller) =>
    Array.from(scroller.querySelectorAll<HTMLElement>('*'))
      .filter((part) => getComputedStyle(part).position === 'absolute')
      .filter(({ offsetParent }) => offsetParent !== null && !scroller.contains(offsetParent))
      .map((part) => `${scroller.className} without ${part.className}`),
  );
}

function tooWide(): string[] {
  return Array.from(document.body.querySelectorAll('*'))
    .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
    .map((element) => `<${element.localName} class="${element.getAttribute('class') ?? ''}">`);
}
