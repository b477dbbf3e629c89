/** Regions that scroll must be reachable with the keyboard in every browser (WCAG 2.1.1). */

/** Spread on a scrolling or moving region, which needs a name or plain text of its own. */
export const keyboardScroll = { tabIndex: 0 } as const;
