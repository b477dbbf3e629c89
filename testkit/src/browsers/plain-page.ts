/**
 * A page in a browser that Playwright does not drive: asked in plain expressions, and worked by what a mouse and a
 * keyboard do. Knows the W3C's actions, which all drivers share, and no driver.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface PlainPage {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  /** The value of an expression that JSON can hold; it may be a promise. */
  evaluate(expression: string): Promise<unknown>;
  /** Input sources with their actions, as WebDriver has them. */
  perform(sources: readonly object[]): Promise<void>;
  close(): Promise<void>;
}

/** Keys without a character, by WebDriver's code points. */
export const keys = { enter: '\uE006', end: '\uE010', home: '\uE011', up: '\uE013', right: '\uE014' } as const;

/** What can be found by its role and its name. */
type Role = 'button' | 'link' | 'field' | 'heading' | 'slider';

/** How long a state is waited for: a busy machine is not a failure. */
const patienceMs = 60_000;
const lookEveryMs = 100;
/** A driver may answer before the page has had the click. */
const looksAfterPress = 5;

/** Runs in the page, as text: the first element in sight that has the role and the name, which may be its beginning. */
function find(role: Role, name: string): Element | undefined {
  const selectors = {
    button: 'button',
    link: 'a[href]',
    field: 'input, textarea',
    heading: 'h1, h2, h3',
    slider: '[role="slider"], input[type="range"]',
  };
  const textOf = (element: Element | null): string => (element?.textContent ?? '').trim();
  const labelOf = (element: Element): string => {
    const own = element.getAttribute('aria-label');
    if (own !== null) return own;
    const by = element.getAttribute('aria-labelledby');
    if (by !== null)
      return by
        .split(' ')
        .map((id) => textOf(document.querySelector(`#${CSS.escape(id)}`)))
        .join(' ');
    const labels = 'labels' in element ? (element.labels as NodeListOf<Element> | null) : null;
    return labels !== null && labels.length > 0 ? textOf(labels.item(0)) : textOf(element);
  };
  const inSight = [...document.querySelectorAll(selectors[role])].filter(
    (element) => element.closest('[inert]') === null && element.getClientRects().length > 0,
  );
  return (
    inSight.find((element) => labelOf(element) === name) ?? inSight.find((element) => labelOf(element).startsWith(name))
  );
}

/** A page as a person uses it: by what is written there. Every call waits until it can be done. */
export class PlainScreen {
  readonly page: PlainPage;

  constructor(page: PlainPage) {
    this.page = page;
  }

  /** Waits until an expression is true in the page; after a wait in vain `evidence` is read for the message. */
  async until(condition: string, evidence = `document.body.innerText.slice(0, 600)`): Promise<void> {
    const giveUpAtMs = performance.now() + patienceMs;
    while ((await this.page.evaluate(`Boolean(${condition})`)) !== true) {
      if (performance.now() > giveUpAtMs) {
        const seen = String(await this.page.evaluate(`location.pathname + ': ' + ${evidence}`));
        throw new Error(`waited in vain for ${condition}\non ${seen}`);
      }
      await pause(lookEveryMs);
    }
  }

  has(role: Role, name: string): Promise<void> {
    return this.until(this.#found(role, name));
  }

  says(words: string): Promise<void> {
    return this.until(`document.body.innerText.includes(${JSON.stringify(words)})`);
  }

  /**
   * Moves the mouse there and presses, once nothing covers the place. What moves away under the mouse is pressed again,
   * as a person would: a list that has just been answered pushes down what stands below it.
   */
  async press(role: Role, name: string): Promise<void> {
    const place = `(element => {
      if (!element || element.disabled) return null;
      element.scrollIntoView({ block: 'center' });
      const { x, y, width, height } = element.getBoundingClientRect();
      const [atX, atY] = [Math.round(x + width / 2), Math.round(y + height / 2)];
      const top = document.elementFromPoint(atX, atY);
      if (!top || !(element.contains(top) || top.contains(element))) return null;
      const note = ({ type, target }) => {
        window.wasPressed = type === 'click' && (element.contains(target) || target.contains(element));
      };
      delete window.wasPressed;
      for (const type of ['pointerdown', 'click']) document.addEventListener(type, note, { capture: true, once: true });
      return { x: atX, y: atY };
    })(${this.#found(role, name)})`;
    const giveUpAtMs = performance.now() + patienceMs;
    for (;;) {
      const at = (await this.page.evaluate(place)) as { x: number; y: number } | null;
      if (at !== null && (await this.#pressAt(at))) return;
      if (performance.now() > giveUpAtMs) throw new Error(`could not press the ${role} ${name}`);
      await pause(lookEveryMs);
    }
  }

  /** Whether what had been found there was pressed. The page that a press leads to says nothing of it. */
  async #pressAt(at: { x: number; y: number }): Promise<boolean> {
    const actions = [
      { type: 'pointerMove', ...at },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.page.perform([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }]);
    for (let looks = 0; looks < looksAfterPress; looks += 1) {
      if ((await this.page.evaluate('window.wasPressed ?? null')) !== false) return true;
      await pause(lookEveryMs);
    }
    return false;
  }

  /** As by the Tab key. */
  async focus(role: Role, name: string): Promise<void> {
    await this.until(`(element => element && (element.focus(), true))(${this.#found(role, name)})`);
  }

  async type(text: string): Promise<void> {
    const actions = Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.page.perform([{ type: 'key', id: 'keyboard', actions }]);
  }

  /** Writes into a field; the page has then taken all of it. */
  async fill(label: string, text: string): Promise<void> {
    const field = this.#found('field', label);
    const giveUpAtMs = performance.now() + patienceMs;
    // A screen that comes while the mouse is pressed takes the focus to its heading: a person presses again.
    for (;;) {
      await this.press('field', label);
      if (await this.#becomes(`document.activeElement === ${field}`)) break;
      if (performance.now() > giveUpAtMs) throw new Error(`could not focus the field ${label}`);
    }
    await this.type(text);
    await this.until(`${field}?.value === ${JSON.stringify(text)}`);
  }

  /** Whether an expression is true in the page soon. */
  async #becomes(condition: string): Promise<boolean> {
    for (let looks = 0; looks < looksAfterPress; looks += 1) {
      if ((await this.page.evaluate(condition)) === true) return true;
      await pause(lookEveryMs);
    }
    return false;
  }

  #found(role: Role, name: string): string {
    return `(${find.toString()})(${JSON.stringify(role)}, ${JSON.stringify(name)})`;
  }
}
