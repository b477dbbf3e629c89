/** Finds elements by role and accessible name. A string must match the whole name; a pattern may match a part. */
import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';

type Called = string | RegExp;

export const heading = (name: Called): Locator => page.getByRole('heading', { name });
export const button = (name: Called): Locator => page.getByRole('button', { name });
export const link = (name: Called): Locator => page.getByRole('link', { name });
/** A modal dialog. */
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
