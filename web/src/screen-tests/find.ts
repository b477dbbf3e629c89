/** Finds things on the page as people do: by what they are and what they are called. Names are whole unless a pattern. */
import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';

type Called = string | RegExp;

export const heading = (name: Called): Locator => page.getByRole('heading', { name });
export const button = (name: Called): Locator => page.getByRole('button', { name });
export const link = (name: Called): Locator => page.getByRole('link', { name });
/** A question or a message that must be answered first. */
export const modal = (name: Called): Locator => page.getByRole('alertdialog', { name });
export const field = (label: Called): Locator => page.getByLabelText(label);
export const words = (text: Called): Locator => page.getByText(text);

export const shown = (found: Locator): Promise<void> => expect.element(found).toBeVisible();
export const gone = (found: Locator): Promise<void> => expect.element(found).not.toBeInTheDocument();
export const focused = (found: Locator): Promise<void> => expect.element(found).toHaveFocus();
export const leadsTo = (found: Locator, href: string): Promise<void> =>
  expect.element(found).toHaveAttribute('href', href);
/** The address, with its query. */
export const arrivedAt = (address: string): Promise<void> =>
  expect.poll(() => location.pathname + location.search).toBe(address);
