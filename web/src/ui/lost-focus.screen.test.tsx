/** What people hear and where their focus is when a page changes under them, whatever component changes it. */
import { afterAll, afterEach, expect, test } from 'vitest';
// Every opened page does what is tested here.
import '../../testing/screens/open-page.tsx';
import { button } from '../../testing/screens/find.ts';
import { focusHeading } from './lost-focus.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const main = document.createElement('main');
document.body.append(main);
afterEach(() => main.replaceChildren());
afterAll(() => main.remove());

function show(html: string): void {
  main.innerHTML = html;
}

const find = (selector: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(selector);
  if (found === null) throw new Error(`no ${selector}`);
  return found;
};

/** What stands in the regions that the page makes, which its own code cannot read again. */
const made: ShadowRoot[] = [];
const { attachShadow } = Element.prototype;
Element.prototype.attachShadow = function noted(init) {
  const root = attachShadow.call(this, init);
  made.push(root);
  return root;
};
afterAll(() => {
  Element.prototype.attachShadow = attachShadow;
});
const spoken = (): string[] => made.map(({ textContent }) => textContent ?? '');

test.each([
  ['is removed', (button: HTMLElement) => button.remove()],
  ['is disabled', (button: HTMLElement) => button.setAttribute('disabled', '')],
  ['is hidden', (button: HTMLElement) => (button.hidden = true)],
])('the heading gets the focus of a button that %s', async (_how, change) => {
  show('<h1>Kitchen Radio</h1><button>Accept</button>');
  await button('Accept').click();
  change(find('button'));
  await expect.poll(() => document.activeElement).toBe(find('h1'));
});

test('the heading of its part gets it, while that is there; the nearest of several', async () => {
  show('<h1>Home</h1><section><h2>People</h2><section><h3>Ada</h3><button>Remove</button></section></section>');
  await button('Remove').click();
  find('button').remove();
  await expect.poll(() => document.activeElement).toBe(find('h3'));
  find('section section').remove();
  await expect.poll(() => document.activeElement).toBe(find('h2'));
  find('section').remove();
  await expect.poll(() => document.activeElement).toBe(find('h1'));
});

test('the heading of a screen gets it when it comes later than the screen, unless the user was faster', async () => {
  for (const isFaster of [false, true]) {
    show('<p>Loading...</p><input>');
    focusHeading();
    expect(document.activeElement).toBe(main);
    const input = find('input');
    if (isFaster) input.focus();
    const heading = document.createElement('h1');
    main.prepend(heading);
    if (isFaster) await pause(300);
    await expect.poll(() => document.activeElement).toBe(isFaster ? input : heading);
  }
});

test('inside an open dialog the dialog gets it, because the page behind can’t', async () => {
  show('<h1>Kitchen Radio</h1><dialog><button>Report</button><p>Ivo</p></dialog>');
  (find('dialog') as HTMLDialogElement).showModal();
  await button('Report').click();
  find('dialog button').remove();
  await expect.poll(() => document.activeElement).toBe(find('dialog'));
});

test('a component that knows a better place wins, and a press beside everything leaves the focus nowhere', async () => {
  show('<h1>Kitchen Radio</h1><button>Accept</button><input>');
  await button('Accept').click();
  find('button').remove();
  find('input').focus();
  await pause(300);
  expect(document.activeElement).toBe(find('input'));
  document.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  find('input').blur();
  find('input').remove();
  await pause(300);
  expect(document.activeElement).toBe(document.body);
});

test('a region that comes with its words is announced once, in one that was there before', async () => {
  show('<div><output>Play the queue?</output></div>');
  await expect.poll(() => find('main output').ariaLive).toBe('off');
  await expect.poll(spoken).toEqual(['Play the queue?']);
  // What changes later it says itself.
  expect(find('main output').ariaLive).toBeNull();
});

test('what loads and is there a moment later, is hidden, or lies in a region that speaks is not announced', async () => {
  made.length = 0;
  show(
    '<output id="gone">Loading...</output><output hidden>Hidden</output><div role="log"><output>Line</output></div>',
  );
  await expect.poll(() => find('#gone').ariaLive).toBe('off');
  find('#gone').remove();
  await pause(400);
  expect(spoken().filter(Boolean)).toEqual([]);
});
