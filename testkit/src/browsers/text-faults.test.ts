import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumLaunch } from './chromium.ts';
import { textFaults } from './text-faults.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(chromiumLaunch({ prefersShell: true }));
});
afterAll(() => browser.close());

const one = 'white-space: nowrap; overflow: hidden;';

async function faultsOf(body: string, sentences?: ReadonlySet<string>): Promise<string[]> {
  const page = await browser.newPage({ viewport: { width: 390, height: 600 } });
  try {
    await page.setContent(`<!doctype html><meta name="viewport" content="width=device-width"><style>
      body { margin: 20px; font: 16px / 1.4 sans-serif } p { margin: 0 } dialog { margin: 0; border: 0; padding: 0 }
    </style>${body}`);
    return await textFaults(page, sentences);
  } finally {
    await page.close();
  }
}

describe('text that cannot be read', () => {
  test.each([
    [
      'cut sideways',
      `<p style="${one} width: 60px">Everything is here</p>`,
      /^cut by p\., \d+ px: Everything is here$/,
    ],
    [
      'cut below',
      '<div style="height: 30px; overflow: clip">A sentence<p>and its end</p></div>',
      /^cut by div.*and its end$/,
    ],
    [
      'cut in a box further out',
      `<div style="width: 60px; overflow: hidden"><b style="${one}">Everything</b> <i style="white-space: nowrap">all of it is here</i></div>`,
      /all of it/,
    ],
    [
      'a sentence of the page with an ellipsis',
      `<p style="${one} width: 60px; text-overflow: ellipsis">Everything is here</p>`,
      /^cut/,
    ],
    ['words of people without an ellipsis', `<p dir="auto" style="${one} width: 60px">Everything is here</p>`, /^cut/],
    [
      'words of people in too low a box',
      '<p dir="auto" style="height: 10px; overflow: hidden">Everything is here</p>',
      /^cut/,
    ],
    [
      'a list that scrolls sideways too',
      `<div style="height: 30px; width: 80px; overflow: auto"><p style="white-space: nowrap">Everything is here</p><p>And</p></div>`,
      /^cut by div/,
    ],
    [
      'outside on the right',
      '<p style="position: absolute; left: 340px; white-space: nowrap">Everything is here</p>',
      /^outside of the window: Everything is here$/,
    ],
    ['outside on the left', '<p style="margin-left: -40px; white-space: nowrap">Everything is here</p>', /^outside/],
    [
      'a page that scrolls sideways',
      '<img alt="" style="width: 900px; height: 9px">',
      /^wider than the window: img\.$/,
    ],
    [
      'a button shorter than its label',
      '<button style="width: 60px; white-space: nowrap; padding: 0">Everything is here</button>',
      /^out of its button\.: Everything is here$/,
    ],
    [
      'a placeholder without room',
      '<input style="width: 60px" placeholder="Everything is here">',
      /^placeholder cut, \d+ px: Everything is here$/,
    ],
    [
      'two sentences at one place',
      '<p>Everything is here</p><p style="margin-top: -14px">And more</p>',
      /^over each other: Everything is here \| And more$/,
    ],
    [
      'two sentences far down the page',
      '<div style="height: 3000px"></div><p>Everything is here</p><p style="margin-top: -14px">And more</p>',
      /^over each other/,
    ],
    [
      'words that take no press, over others',
      '<p>Everything is here</p><p style="position: absolute; top: 20px; pointer-events: none">And more</p>',
      /^over each other/,
    ],
    [
      'words over others, on a veil',
      '<p>Everything is here</p><p style="position: absolute; top: 20px; background: rgb(0 0 0 / 30%)">And more</p>',
      /^over each other/,
    ],
    [
      'words in a dialog',
      `<dialog id="d"><p style="${one} width: 60px">Everything is here</p></dialog><script>d.showModal()</script>`,
      /^cut/,
    ],
  ])('%s', async (_, body, expected) => {
    expect(await faultsOf(body)).toContainEqual(expect.stringMatching(expected));
  });

  test.each([
    [
      'sentences that break',
      '<p style="width: 60px">Everything is here</p><button style="width: 90px">Everything is here</button>',
    ],
    [
      'a name with an ellipsis',
      `<p style="${one} width: 60px; text-overflow: ellipsis" dir="auto">Everything is here</p>`,
    ],
    [
      'a name and a comma with an ellipsis',
      `<p style="${one} width: 60px; text-overflow: ellipsis"><bdi dir="auto">Everything</bdi>, is here</p>`,
    ],
    [
      'a message of which two lines are shown',
      '<p dir="auto" style="width: 60px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden">Everything is here and more</p>',
    ],
    [
      'an ellipsis whose title says all',
      `<p title="Everything is here" style="${one} width: 60px; text-overflow: ellipsis">Everything is here</p>`,
    ],
    [
      'what only a screen reader says',
      '<p style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap">Everything is here</p><p>And more</p>',
    ],
    [
      'what is not shown',
      '<p style="visibility: hidden; position: absolute">Everything is here</p><p style="opacity: 0; position: absolute">Everything</p><p>And more</p>',
    ],
    [
      'a closed part of the page',
      '<div style="height: 0; overflow: hidden"><p>Everything is here</p></div><p>And more</p>',
    ],
    [
      'a list that scrolls',
      '<div style="height: 50px; overflow: auto"><p>One</p><p>Two</p><p>Three</p><p>Four</p></div><p>And more</p>',
    ],
    [
      'a row of tabs that scrolls sideways',
      `<div style="display: flex; width: 80px; overflow-x: auto"><p style="white-space: nowrap">Everything is here</p><p>And</p></div>`,
    ],
    ['an emoji wider than its button', '<button style="width: 4px; padding: 0; border: 0">\u{1f636}</button>'],
    [
      'a menu over the page',
      '<p>Everything is here</p><p style="position: absolute; top: 20px; background: #fff">And more</p>',
    ],
    [
      'the page behind a dialog',
      `<p>Everything is here</p><dialog id="d"><p>And more</p></dialog><script>d.showModal()</script>`,
    ],
    [
      'close lines of large letters',
      '<h1 style="font-size: 40px; line-height: 1; margin: 0">Everything is here, and more</h1><p style="line-height: 1">And more</p>',
    ],
    ['a placeholder with room', '<input style="width: 200px" placeholder="Everything">'],
  ])('no fault: %s', async (_, body) => {
    expect(await faultsOf(body)).toEqual([]);
  });

  test('a sentence of the product has no ellipsis where words of people may have one', async () => {
    const body = `<p dir="auto" style="${one} width: 60px; text-overflow: ellipsis">Everything is here</p>`;
    expect(await faultsOf(body, new Set(['And more']))).toEqual([]);
    expect(await faultsOf(body, new Set(['Everything is here']))).toEqual(['short: Everything is here']);
  });

  test('the page is left as it was', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 600 } });
    await page.setContent(
      '<div style="height: 3000px"></div><p>Everything</p><p style="margin-top: -40px">And more</p>',
    );
    await page.evaluate(() => scrollTo(0, 100));
    expect(await textFaults(page)).toHaveLength(1);
    expect(await page.evaluate(() => [scrollY, document.adoptedStyleSheets.length])).toEqual([100, 0]);
    await page.close();
  });
});
