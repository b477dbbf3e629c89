/**
 * A person who uses the keyboard alone and hears the page by a screen reader. Every step ends with the focus somewhere on
 * the page; what live regions say is collected by the rules of screen readers.
 */
import { expect, type Locator, type Page } from '@playwright/test';
import type { Person } from './person.ts';

/** The most elements that Tab passes on one page. */
const mostStops = 200;

export interface Hands {
  readonly page: Page;
  /** Types at the element that has the focus, as a person does. */
  type(text: string): Promise<void>;
  /** Presses keys one after another, by their names. */
  keys(...names: string[]): Promise<void>;
  /** Goes on by Tab until the element has the focus. */
  reach(element: Locator): Promise<void>;
  /** Reaches it and presses Enter. */
  press(element: Locator): Promise<void>;
  button(name: string | RegExp): Promise<void>;
  link(name: string | RegExp): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  /** Waits until the page says this, after everything that was heard before. */
  hears(words: string | RegExp): Promise<void>;
  /** Everything that the page has said, and nothing ('') where a region has lost a part of it: it may say that again. */
  heard(): Promise<string[]>;
}

/** Before the first page is opened. */
export async function keyboardHands({ page, name }: Person): Promise<Hands> {
  await page.addInitScript(collectSpeech);
  let heardUntil = 0;
  const heard = () => page.evaluate(() => JSON.parse(sessionStorage.getItem('said') ?? '[]') as string[]);
  const hands: Hands = {
    page,
    async type(text) {
      await page.keyboard.type(text);
      await expectFocus(page, `${name} has typed ${text}`);
    },
    async keys(...names) {
      for (const key of names) await page.keyboard.press(key);
      await expectFocus(page, `${name} has pressed ${names.join(', ')}`);
    },
    async reach(element) {
      await expect(element).toBeVisible();
      for (let stops = 0; stops < mostStops; stops += 1) {
        if (await element.evaluate((one) => one === document.activeElement)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab never leads ${name} to ${element.toString()}`);
    },
    async press(element) {
      await hands.reach(element);
      await hands.keys('Enter');
    },
    button: (label) => hands.press(page.getByRole('button', { name: label }).first()),
    link: (label) => hands.press(page.getByRole('link', { name: label }).first()),
    async fill(label, text) {
      await hands.reach(page.getByLabel(label, { exact: true }));
      await hands.type(text);
    },
    heard,
    async hears(words) {
      const isIt = (one: string) => (typeof words === 'string' ? one === words : words.test(one));
      let found = -1;
      await expect
        .poll(
          async () => {
            const all = await heard();
            found = all.findIndex((one, index) => index >= heardUntil && isIt(one));
            return found >= 0 ? 'heard' : all.slice(heardUntil);
          },
          { message: `${name} hears ${String(words)}` },
        )
        .toBe('heard');
      heardUntil = found + 1;
    },
  };
  return hands;
}

/** A step may remove what had the focus; the page then gives it to something else, and never to nothing. */
async function expectFocus(page: Page, after: string): Promise<void> {
  const where = () =>
    page
      .evaluate(() => (document.activeElement === document.body ? 'lost' : 'on the page'))
      // The step has opened another page.
      .catch(() => 'lost');
  await expect.poll(where, { message: `the focus, when ${after}`, timeout: 20_000 }).toBe('on the page');
}

/**
 * Runs in the page, before its own scripts. A region is heard when its content changes: as a whole where it is atomic,
 * else what was added. One that comes with its content is heard only as an alert, and what lies behind an open dialog is
 * not heard.
 */
function collectSpeech(): void {
  const regions = 'output, [role=status], [role=alert], [role=log], [aria-live]';
  const known = new WeakSet<Element>();
  /** What a whole region has said last, until it loses a part of that. */
  const saidBy = new WeakMap<Element, string>();
  const partsOf = (node: Node): string => {
    if (!(node instanceof Element)) return node.textContent ?? '';
    if (node.matches('[aria-hidden=true], [hidden]') || !node.checkVisibility()) return '';
    const label = node.matches('[role=img], button, a') ? node.getAttribute('aria-label') : null;
    return label ?? Array.from(node.childNodes, partsOf).join(' ');
  };
  const wordsOf = (node: Node): string => partsOf(node).replace(/\s+/g, ' ').trim();
  const note = (words: string): void => {
    const said = JSON.parse(sessionStorage.getItem('said') ?? '[]') as string[];
    sessionStorage.setItem('said', JSON.stringify([...said, words]));
  };
  const say = (words: string): void => {
    if (words !== '') note(words);
  };
  const noteLoss = (region: Element): void => {
    if ((saidBy.get(region) ?? wordsOf(region)) === wordsOf(region)) return;
    saidBy.delete(region);
    note('');
  };
  const isOff = (region: Element): boolean => {
    const modal = document.querySelector('dialog:modal');
    const root = region.getRootNode();
    const place = root instanceof ShadowRoot ? root.host : region;
    return (
      region.getAttribute('aria-live') === 'off' ||
      !region.checkVisibility() ||
      place.closest('[inert], [aria-hidden=true]') !== null ||
      (modal !== null && !modal.contains(place))
    );
  };
  const isWhole = (region: Element): boolean =>
    (region.getAttribute('aria-atomic') ?? String(region.matches('output, [role=status], [role=alert]'))) === 'true';
  const roots: (Document | ShadowRoot)[] = [document];
  const observer = new MutationObserver((changes) => {
    const whole = new Set<Element>();
    for (const { type, target, addedNodes } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      const region = element?.closest(regions);
      if (region && known.has(region) && !isOff(region) && (type !== 'childList' || addedNodes.length > 0)) {
        if (isWhole(region)) whole.add(region);
        else for (const node of addedNodes) say(wordsOf(node));
      } else if (region) noteLoss(region);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        for (const alert of [node, ...node.querySelectorAll('[role=alert]')])
          if (alert.matches('[role=alert]') && !known.has(alert) && !isOff(alert)) whole.add(alert);
      }
    }
    for (const region of whole) {
      const words = wordsOf(region);
      say(words);
      saidBy.set(region, words);
    }
    for (const root of roots) for (const region of root.querySelectorAll(regions)) known.add(region);
  });
  const observe = (root: Document | ShadowRoot): void =>
    observer.observe(root, { childList: true, characterData: true, subtree: true });
  observe(document);
  const { attachShadow } = Element.prototype;
  Element.prototype.attachShadow = function observed(init) {
    const root = attachShadow.call(this, init);
    roots.push(root);
    observe(root);
    return root;
  };
}
