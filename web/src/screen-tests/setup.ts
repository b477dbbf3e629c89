/** Around each test of a screen: a page with nothing left of the one before, and none of its failures overlooked. */
import '../styles/global.css';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { closePage } from './open-page.tsx';
import { resetBrowser, watchNavigation } from './browser.ts';

beforeAll(watchNavigation);
beforeEach(resetBrowser);
afterEach(closePage);
