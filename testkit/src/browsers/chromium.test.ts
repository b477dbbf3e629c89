import { chromium } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { chromiumLaunch, chromiumPath } from './chromium.ts';

describe('the browser for tests', () => {
  test.each([
    ['as it is', {}],
    ['without windows', { prefersShell: true }],
    ['for a journey', { prefersShell: true, isBrief: true }],
  ])('starts %s and shows a page', async (_how, options) => {
    const browser = await chromium.launch(chromiumLaunch(options));
    try {
      const page = await browser.newPage();
      await page.setContent('<h1>Hello</h1>');
      expect(await page.textContent('h1')).toBe('Hello');
    } finally {
      await browser.close();
    }
  });

  test('lets media start by itself only where that is asked for', () => {
    const flag = '--autoplay-policy=no-user-gesture-required';
    expect(chromiumLaunch().args).not.toContain(flag);
    expect(chromiumLaunch({ autoplay: true }).args).toContain(flag);
  });

  test('takes the browser that is named for everything', () => {
    const named = chromiumPath();
    vi.stubEnv('CHROMIUM_PATH', named);
    expect(chromiumLaunch({ prefersShell: true }).executablePath).toBe(named);
    vi.unstubAllEnvs();
  });

  test('says so when the browser that is named does not run', () => {
    vi.stubEnv('CHROMIUM_PATH', '/no/such/browser');
    expect(() => chromiumPath()).toThrow('CHROMIUM_PATH is /no/such/browser');
    vi.unstubAllEnvs();
  });
});
