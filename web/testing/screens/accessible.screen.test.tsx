import { expect, test } from 'vitest';
import { expectAccessible } from './accessible.ts';
import { signedOut, openPage } from './open-page.tsx';

const openNowhere = () => openPage('/nowhere', { session: signedOut });

function plant(html: string): void {
  document.querySelector('main')?.insertAdjacentHTML('beforeend', html);
}

test.each([
  ['words that are pale in the light theme', '<p style="color: var(--paper); background: var(--ground)">pale</p>'],
  ['a key whose name is not what stands on it', '<button aria-label="Numbers">123</button>'],
  [
    'a key too small to touch',
    '<button style="width:9px;height:9px">a</button><button style="width:9px;height:9px">b</button>',
  ],
  [
    'a page that is locked to one orientation',
    '<style>@media (orientation: portrait) { html { rotate: 90deg } }</style>',
  ],
  ['what is wider than a phone', '<div style="width: 500px">wide</div>'],
])('the accessibility check of a screen fails for %s', async (_fault, html) => {
  await openNowhere();
  await expectAccessible('both', false);
  plant(html);
  await expect(expectAccessible('both', false)).rejects.toThrow();
});

const pale = '{ body p { color: color-mix(in srgb, var(--ground) 80%, gray) } }';

test.each([
  ['dark', '1280'],
  ['light', '1280'],
  ['dark', '390'],
  ['light', '390'],
])('a check in all looks fails for text with low contrast in the %s theme at %s px only', async (theme, width) => {
  await openNowhere();
  plant(
    `<style>@media (prefers-color-scheme: ${theme}) and (width: ${width}px) ${pale}</style>` +
      '<p style="background: var(--ground)">pale</p>',
  );
  await expect(expectAccessible('all', false)).rejects.toThrow(`${theme}, ${width} px`);
});
